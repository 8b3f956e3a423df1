/** The server does not count further. */
const MAX_COUNT = 1000;

interface ResultCounts {
  essays: number;
  authors: number;
  columns: number;
  tags: number;
}

export function describeResultCounts({ essays, authors, columns, tags }: ResultCounts): string {
  const parts = [
    essays > 0 && `${essays > MAX_COUNT ? `${MAX_COUNT}+` : essays} 篇文章`,
    authors > 0 && `${authors} 位作者`,
    columns > 0 && `${columns} 个专栏`,
    tags > 0 && `${tags} 个标签`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? '没有找到' : `找到 ${parts.join('、')}`;
}
