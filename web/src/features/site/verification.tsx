import { useSite } from '#web/lib/queries.ts';

/** Meta tags by which search engines recognize the owner of the site; React moves them into the head. */
export const Verification = () =>
  Object.entries(useSite().verification ?? {}).map(([name, content]) => (
    <meta key={name} name={name} content={content} />
  ));
