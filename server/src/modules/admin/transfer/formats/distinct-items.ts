import type { ImportedItem } from './types.ts';

/** An archive may contain two exports of one site; an item whose key was used before is reported, not lost. */
export async function* distinctItems(items: AsyncIterable<ImportedItem>): AsyncGenerator<ImportedItem> {
  const counts = new Map<string, number>();
  for await (const item of items) {
    const count = item.kind === 'site' ? 0 : (counts.get(item.key) ?? 0);
    if (item.kind !== 'site') counts.set(item.key, count + 1);
    if (item.kind === 'site' || count === 0) yield item;
    else
      yield {
        kind: 'skipped',
        key: `${item.key}#${count + 1}`,
        ...(item.title === undefined ? {} : { title: item.title }),
        skipped: '与压缩包里的另一项编号相同，没有导入',
      };
  }
}
