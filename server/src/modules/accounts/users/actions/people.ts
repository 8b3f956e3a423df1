import type { Ctx } from '../../../../ctx.ts';
import { createLookup } from '../../../../db/lookup.ts';
import { createUsersQuery, noUser } from '../queries/people.ts';
import type { User } from '../tables.ts';

const findUser = createLookup((db) => {
  const list = createUsersQuery(db);
  return async (ids) => new Map((await list(ids)).map((user) => [user.id, user]));
});

/** To be shown, as every page of an essay shows its author. */
export async function getShownUser(ctx: Ctx, id: string): Promise<User> {
  const user = await findUser(ctx, id);
  if (user === null) throw noUser();
  return user;
}
