export type Complain = (name: string, message: string) => void;
type Whole<T> = { [K in keyof T]: NonNullable<T[K]> };

const isWhole = <T extends object>(parts: T): parts is T & Whole<T> =>
  Object.values(parts).every((part) => part !== undefined);

/** Of what only makes sense together: null where nothing was given; of a half, the other half is named. */
export function whole<T extends object>(parts: T, complain: Complain): Whole<T> | null {
  if (isWhole(parts)) return parts;
  const isGiven = ([, part]: [string, unknown]): boolean => part !== undefined;
  const given = Object.entries(parts).filter(isGiven);
  const names = given.map(([name]) => name).join('、');
  if (given.length > 0)
    for (const [name, part] of Object.entries(parts))
      if (part === undefined) complain(name, `已设置 ${names}，还缺少它`);
  return null;
}
