import type { Client } from '@mozhan/contract/client.ts';
import type { Cover } from '@mozhan/contract/covers.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, useApp } from '#web/lib/app-context.ts';
import { fileUrl } from '#web/lib/files.ts';
import { callQuery } from '#web/lib/queries.ts';
import styles from './banner.module.css';

export const bannerQuery = (api: Client) => callQuery(api, 'GET core/sys/cover/', { kind: 'banner' });

const Slide = ({ banner }: { banner: Cover }) => {
  const { basePath, filesUrl } = useApp();
  const picture = (
    <>
      <img className={styles.picture} src={fileUrl(filesUrl, banner.image)} alt="" fetchPriority="high" />
      <span className={styles.words}>{banner.title}</span>
    </>
  );
  if (banner.link === '') return <div className={styles.slide}>{picture}</div>;
  return (
    <a className={styles.slide} href={fileUrl(basePath, banner.link)}>
      {picture}
    </a>
  );
};

/** Banners of the operator; slides never change by themselves. */
export function Banner() {
  const { data } = useQuery(bannerQuery(useApi()));
  const banners = Array.isArray(data) ? data : [];
  const [index, setIndex] = useState(0);
  const banner = banners[index] ?? banners[0];
  if (banner === undefined) return null;
  return (
    <section className={styles.banner} aria-label="专题">
      <Slide banner={banner} />
      {banners.length > 1 ? (
        <ul className={`flex gap-1 ${styles.dots}`} aria-label="切换专题">
          {banners.map(({ id, title }, each) => (
            <li key={id}>
              <button
                type="button"
                aria-label={`第 ${each + 1} 个专题：${title}`}
                aria-pressed={banner.id === id}
                onClick={() => setIndex(each)}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
