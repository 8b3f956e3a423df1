export type ReportProblem = (name: string, message: string) => void;
type Complete<T> = { [K in keyof T]: NonNullable<T[K]> };

const isComplete = <T extends object>(parts: T): parts is T & Complete<T> =>
  Object.values(parts).every((part) => part !== undefined);

/** For variables that must be set together: null if none is set; reports those that are missing if only some are set. */
export function requireAllOrNone<T extends object>(
  parts: T,
  reportProblem: ReportProblem,
): Complete<T> | null {
  if (isComplete(parts)) return parts;
  const isGiven = ([, part]: [string, unknown]): boolean => part !== undefined;
  const given = Object.entries(parts).filter(isGiven);
  const names = given.map(([name]) => name).join('、');
  if (given.length > 0)
    for (const [name, part] of Object.entries(parts))
      if (part === undefined) reportProblem(name, `已设置 ${names}，还缺少它`);
  return null;
}
