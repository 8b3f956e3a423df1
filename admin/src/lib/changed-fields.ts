/** Fields that differ from `before`. Forms send only these, so that they do not overwrite others' changes. */
export const changedFields = <V extends object>(before: V, after: V): Partial<V> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof V]),
    ),
  ) as Partial<V>;
