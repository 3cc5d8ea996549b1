# docker build -t cesplan . && docker run --rm -v "$PWD:/tree" cesplan validate
#
# A tag can be moved to another image. Where the image is to hold credentials, name the base by digest:
#   docker build --build-arg PYTHON_IMAGE=python:3.12-slim@sha256:DIGEST -t cesplan .
ARG PYTHON_IMAGE=python:3.12-slim
FROM ${PYTHON_IMAGE} AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY cesplan cesplan
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM ${PYTHON_IMAGE}
# git tells a plan which commit it was made from; a version would only go stale.
# The mounted tree belongs to another user; git may read that one folder, and no other.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 cesplan \
    && git config --system --add safe.directory /tree
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(echo /wheels/cesplan-*.whl)[emulator,policy,report]" && rm -rf /wheels
USER 1000
WORKDIR /tree
ENTRYPOINT ["cesplan"]
CMD ["--help"]
