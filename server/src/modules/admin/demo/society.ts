import { FLAG, IDENTITY } from '@mozhan/contract/enums.ts';
import { followUser } from '../../accounts/users/index.ts';
import { applyAsExpert, decideApplication, pickStar, saveFarmer } from '../../content/directory/index.ts';
import { applications, picks } from './community/affairs.ts';
import { readers } from './community/readers.ts';
import { createDice } from './dice.ts';
import { type Deed, deedOf, getPerson, hoursBefore } from './history.ts';
import { people } from './people.ts';

/** Nobody had come long before. */
const FIRST_HOURS = 690;

/** Most follow some of those who write; a few follow each other. */
function planFollows(now: Date): Deed[] {
  const roll = createDice(41);
  const everyone = [...people, ...readers];
  return everyone.flatMap(({ account }) =>
    everyone
      .filter(
        (other) => other.account !== account && roll() < (other.curIdentity === IDENTITY.writer ? 0.5 : 0.03),
      )
      .map((other) =>
        deedOf(hoursBefore(now, 1 + FIRST_HOURS * roll()), account, (ctx, viewer, world) =>
          followUser(ctx, viewer, getPerson(world, other.account).viewer.id),
        ),
      ),
  );
}

const planFarmers = (now: Date): Deed[] =>
  readers.flatMap(({ account, farmer }, i) =>
    farmer === undefined
      ? []
      : [
          deedOf(hoursBefore(now, 30 + ((i * 7) % 14) * 44), account, (ctx, viewer) =>
            saveFarmer(ctx, viewer, farmer),
          ),
        ],
  );

function planApplications(now: Date): Deed[] {
  return applications.flatMap(({ by, hoursAgo, fields, answer }) => {
    let id = '';
    const applied = deedOf(hoursBefore(now, hoursAgo), by, async (ctx, viewer) => {
      ({ id } = await applyAsExpert(ctx, viewer, fields));
    });
    if (answer === undefined) return [applied];
    const { status, reason } = answer;
    const answered = deedOf(hoursBefore(now, answer.hoursAgo), answer.by, (ctx, viewer) =>
      decideApplication(ctx, viewer, { id, status, reason }),
    );
    return [applied, answered];
  });
}

const planPicks = (now: Date): Deed[] =>
  picks.map(({ account, note, hoursAgo }) => ({
    at: hoursBefore(now, hoursAgo),
    run: (ctx, world) =>
      pickStar(ctx, { userId: getPerson(world, account).viewer.id, picked: FLAG.on, note }),
  }));

/** What people did that was not about an essay. */
export const planSociety = (now: Date): Deed[] => [
  ...planFollows(now),
  ...planFarmers(now),
  ...planApplications(now),
  ...planPicks(now),
];
