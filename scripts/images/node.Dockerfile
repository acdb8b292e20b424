# Node, its shared libraries, certificates and a user: the default of both BUILDER and BASE. `npm run images` collects the files.
FROM scratch
COPY rootfs/ /
ENV PATH=/usr/local/bin
