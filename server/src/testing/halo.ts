/** A row of the table `extensions` in a backup of Halo 2. */
export const haloRecord = (kind: string, name: string, spec: object) => ({
  name: `/registry/content.halo.run/${kind}/${name}`,
  data: Buffer.from(
    JSON.stringify({ metadata: { name, creationTimestamp: '2024-01-01T00:00:00Z' }, spec }),
  ).toString('base64'),
  version: 1,
});

/** A published post or page of Halo 2, whose text is the snapshot `s1`. */
export const haloItem = (title: string, slug: string, more: object = {}) => ({
  title,
  slug,
  baseSnapshot: 's1',
  headSnapshot: 's1',
  releaseSnapshot: 's1',
  owner: 'mu',
  publish: true,
  publishTime: '2024-01-02T00:00:00Z',
  visible: 'PUBLIC',
  allowComment: true,
  ...more,
});
