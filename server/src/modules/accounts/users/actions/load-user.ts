import type { Ctx } from '../../../../ctx.ts';
import { createLookup } from '../../../../db/lookup.ts';
import { createUsersQuery, userNotFound } from '../queries/users.ts';
import type { User } from '../tables.ts';

const findUserById = createLookup((db) => {
  const list = createUsersQuery(db);
  return async (ids) => new Map((await list(ids)).map((user) => [user.id, user]));
});

/** Batches lookups of the same moment, since every essay page needs its author. */
export async function loadUser(ctx: Ctx, id: string): Promise<User> {
  const user = await findUserById(ctx, id);
  if (user === null) throw userNotFound();
  return user;
}
