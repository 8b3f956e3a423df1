import type { DictItem as DictItemView, Dict as DictView } from '@mozhan/contract/dicts.ts';
import { toFlag } from '@mozhan/contract/enums.ts';
import type { Dict, DictItem } from './tables.ts';

export function toDict(dict: Dict): DictView {
  return { id: dict.id, code: dict.code, name: dict.name, enabled: toFlag(dict.enabled) };
}

export function toDictItem(item: DictItem): DictItemView {
  return {
    id: item.id,
    dictId: item.dictId,
    value: item.value,
    item: item.item,
    sort: item.sort,
    enabled: toFlag(item.enabled),
  };
}
