/** Beyond that the server does not count. */
const COUNTED = 1000;

interface Found {
  essays: number;
  people: number;
  tags: number;
}

/** A sentence that counts what a search shows. */
export function describeFound({ essays, people, tags }: Found): string {
  const parts = [
    essays > 0 && `${essays > COUNTED ? `${COUNTED}+` : essays} 篇文章`,
    people > 0 && `${people} 位作者`,
    tags > 0 && `${tags} 个标签`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? '没有找到' : `找到 ${parts.join('、')}`;
}
