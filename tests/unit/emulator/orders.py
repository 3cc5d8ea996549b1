"""An OpenAPI document with a bit of everything: references, parameters of a path, allOf, anyOf."""

DOCUMENT = """openapi: 3.0.3
info: {title: Orders, version: "1"}
servers: [{url: https://orders.acme.example}]
components:
  parameters:
    Id: {name: id, in: path, required: true, description: The order., schema: {type: string}}
  schemas:
    Base: {type: object, required: [id], properties: {id: {type: string}}}
    Order:
      allOf:
      - {$ref: '#/components/schemas/Base'}
      - type: object
        properties:
          state: {type: string, enum: [open, sent], default: open}
          lines: {type: array, minItems: 1, items: {$ref: '#/components/schemas/Line'}}
    Line:
      type: object
      properties:
        sku: {type: string}
        count: {type: integer, minimum: 1}
        parent: {$ref: '#/components/schemas/Line'}
    Note: {anyOf: [{type: string}, {type: [number, "null"]}]}
paths:
  /orders/{id}:
    parameters: [{$ref: '#/components/parameters/Id'}]
    get:
      operationId: getOrder
      summary: Read an order.
      responses:
        "404": {description: gone}
        "200": {content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
    post:
      operationId: noteOrder
      description: Leave a note.
      parameters: [{name: loud, in: query, schema: {type: boolean}}]
      requestBody:
        content:
          application/json:
            schema: {type: object, required: [note], properties: {note: {$ref: '#/components/schemas/Note'}}}
      responses: {"204": {description: done}}
  /orders:
    get: {responses: {default: {description: all}}}
"""
