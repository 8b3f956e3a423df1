import { readItem, writeItem } from '@mozhan/client/storage.ts';

/** Values by name in the browser's storage, of which the latest `most` are kept. */
export function keptValues<T>(key: string, most: number) {
  function readAll(): [name: string, value: T][] {
    try {
      const all: unknown = JSON.parse(readItem(key) ?? '[]');
      return Array.isArray(all) ? all : [];
    } catch {
      return [];
    }
  }

  return {
    read: (name: string): T | undefined => readAll().find(([each]) => each === name)?.[1],
    /** Undefined: to be forgotten. */
    keep(name: string, value: T | undefined): void {
      const all = readAll().filter(([each]) => each !== name);
      if (value !== undefined) all.push([name, value]);
      writeItem(key, all.length === 0 ? null : JSON.stringify(all.slice(-most)));
    },
  };
}
