interface Threaded {
  foreignId: string;
  parentId: string | null;
}

/**
 * Visits comments of any depth from the roots down, with the id of the nearest kept comment above, or null. `visit`
 * returns whether the comment is kept. A parent that is missing or part of a cycle counts as none.
 */
export function flattenThreads<T extends Threaded>(
  comments: readonly T[],
  visit: (comment: T, parentId: string | null) => boolean,
): void {
  const ids = new Set(comments.map(({ foreignId }) => foreignId));
  const children = Map.groupBy(comments, ({ parentId }) =>
    parentId !== null && ids.has(parentId) ? parentId : null,
  );
  const visited = new Set<T>();
  const walk = (start: readonly T[]) => {
    const queue = start.map((comment) => ({ comment, parentId: null as string | null }));
    for (const { comment, parentId } of queue) {
      if (visited.has(comment)) continue;
      visited.add(comment);
      const nearest = visit(comment, parentId) ? comment.foreignId : parentId;
      for (const child of children.get(comment.foreignId) ?? [])
        queue.push({ comment: child, parentId: nearest });
    }
  };
  walk(children.get(null) ?? []);
  // Only cycles are left; each is cut at its first comment.
  for (const comment of comments) if (!visited.has(comment)) walk([comment]);
}
