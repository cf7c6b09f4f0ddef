# A machine on which the README's two commands work, with GPU code and with nearly all that the checks look for.
# It hasn't been tried yet: no machine that this was written on has a Docker.
#
#     docker build -t gridwright .
#     docker run --rm gridwright                                                           # the checks
#     docker run --rm gridwright cargo run --release -p gridwright-examples --bin sobel    # the first sample
FROM rust:1.95-trixie

# For the steps that need more than Rust: C peers and clang, Python's environments, and Open MPI for programs of several ranks.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends clang g++ git openmpi-bin python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*

# The compiler of GPU code is the one that README.md names.
RUN rustup component add rustfmt clippy \
    && rustup toolchain install nightly-2026-05-20 --profile minimal --component rust-src

# Not root, which no file is read-only for.
RUN useradd --create-home gridwright && install --directory --owner=gridwright /gridwright
USER gridwright
WORKDIR /gridwright
COPY --chown=gridwright . .

CMD ["cargo", "xtask", "test"]
