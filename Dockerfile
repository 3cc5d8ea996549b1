# docker build -t cesplan . && docker run --rm -v "$PWD:/tree" cesplan validate
FROM python:3.12-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY cesplan cesplan
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
# git tells a plan which commit it was made from; a version would only go stale.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 cesplan \
    && git config --system --add safe.directory '*'
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(echo /wheels/cesplan-*.whl)[emulator]" && rm -rf /wheels
USER 1000
WORKDIR /tree
ENTRYPOINT ["cesplan"]
CMD ["--help"]
