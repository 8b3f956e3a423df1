import type { Application, StaffApplication } from '@mozhan/contract/experts.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import type { StaffApplicationRow } from '../queries/experts.ts';
import type { ApplicationRow } from '../tables.ts';

/** Contains personal data: only for the applicant and for staff who decide. */
export function toApplication(application: ApplicationRow): Application {
  return {
    id: application.id,
    realName: application.realName,
    field: application.field,
    intro: application.intro,
    works: application.works,
    contact: application.contact,
    status: application.status,
    reason: application.reason,
    createdAt: application.createdAt.toISOString(),
    decidedAt: application.decidedAt?.toISOString() ?? null,
  };
}

export function toStaffApplication(
  { application, user, decider }: StaffApplicationRow,
  now: Date,
): StaffApplication {
  return {
    ...toApplication(application),
    userId: application.userId,
    user: toUserCard(user, now),
    decidedBy: decider === null ? null : toUserCard(decider, now),
  };
}
