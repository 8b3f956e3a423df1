import type { Farmer } from '@mozhan/contract/code-farmers.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import type { FarmerCard } from '../queries/code-farmers.ts';

/** A skill that was removed from the dictionary is shown by its value. */
export function toFarmer(
  { farmer, user }: FarmerCard,
  skillNames: ReadonlyMap<string, string>,
  now: Date,
): Farmer {
  return {
    user: toUserCard(user, now),
    skills: farmer.skills,
    skillNames: farmer.skills.map((skill) => skillNames.get(skill) ?? skill),
    years: farmer.years,
    city: farmer.city,
    homepage: farmer.homepage,
    openToWork: farmer.openToWork,
    intro: farmer.intro,
    updatedAt: farmer.updatedAt.toISOString(),
  };
}
