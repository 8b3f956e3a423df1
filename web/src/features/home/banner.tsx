import type { Client } from '@mozhan/contract/client.ts';
import { useState } from 'react';
import { useApi, useApp } from '#web/lib/app-context.ts';
import { fileUrl } from '#web/lib/files.ts';
import { hashText, hueFromHash } from '#web/lib/landscape-shapes.ts';
import { callQuery, useQueryData } from '#web/lib/queries.ts';
import styles from './banner.module.css';

export const bannerQuery = (api: Client) => callQuery(api, 'GET core/sys/cover/', { kind: 'banner' });

/** Beside the words a picture fills the height of the banner, on phones the width of the column. */
const SIZES = '(min-width: 768px) 680px, calc(100vw - 32px)';

/** Banners of the operator; slides never change by themselves. */
export function Banner() {
  const { basePath, filesUrl } = useApp();
  const data = useQueryData(bannerQuery(useApi()));
  const banners = Array.isArray(data) ? data : [];
  const [index, setIndex] = useState(0);
  const banner = banners[index] ?? banners[0];
  if (banner === undefined) return null;
  const { title, summary, link, image, imageSizes } = banner;
  const srcSet = imageSizes.map(({ path, width }) => `${fileUrl(filesUrl, path)} ${width}w`).join();
  return (
    <section className={styles.banner} aria-label="专题" data-hue={hueFromHash(hashText(title))}>
      <div className={styles.words}>
        <p className={styles.kicker}>专题</p>
        <h2 className={styles.title}>
          {link === '' ? (
            title
          ) : (
            <a className="stretched" href={fileUrl(basePath, link)}>
              {title}
            </a>
          )}
        </h2>
        {summary === '' ? null : <p className="ink-2 pretty">{summary}</p>}
      </div>
      <div className={styles.picture}>
        <img
          key={image}
          src={fileUrl(filesUrl, image)}
          {...(srcSet !== '' && { srcSet, sizes: SIZES })}
          alt=""
          fetchPriority="high"
        />
      </div>
      {banners.length > 1 ? (
        <ul className={`flex ${styles.dots}`} aria-label="切换专题">
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
