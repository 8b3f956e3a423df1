import { calls as access } from './access.ts';
import { calls as accountChanges } from './account-changes.ts';
import { calls as closing } from './account-closing.ts';
import { calls as activity } from './activity.ts';
import { calls as announcements } from './announcements.ts';
import { calls as audit } from './audit.ts';
import { calls as backups } from './backups.ts';
import { calls as bans } from './bans.ts';
import { calls as blocks } from './blocks.ts';
import { calls as categories } from './categories.ts';
import { calls as chats } from './chats.ts';
import { calls as checklist } from './checklist.ts';
import { calls as farmers } from './code-farmers.ts';
import { calls as stars } from './code-stars.ts';
import { calls as collections } from './collections.ts';
import { calls as columns } from './columns.ts';
import { calls as comments } from './comments.ts';
import { calls as covers } from './covers.ts';
import type { Call } from './define.ts';
import { calls as demo } from './demo.ts';
import { calls as dicts } from './dicts.ts';
import { calls as downloads } from './downloads.ts';
import { calls as essays } from './essays.ts';
import { calls as experts } from './experts.ts';
import { calls as finance } from './finance.ts';
import { calls as follows } from './follows.ts';
import { calls as friendLinks } from './friend-links.ts';
import { calls as health } from './health.ts';
import { calls as highlights } from './highlights.ts';
import { calls as importChecks } from './import-checks.ts';
import { calls as invitees } from './invitees.ts';
import { calls as jobs } from './jobs.ts';
import { calls as ledger } from './ledger.ts';
import { calls as letters } from './letters.ts';
import { calls as likes } from './likes.ts';
import { calls as linkChecks } from './link-checks.ts';
import { calls as mail } from './mail.ts';
import { calls as media } from './media.ts';
import { calls as members } from './members.ts';
import { calls as navigation } from './navigation.ts';
import { calls as notices } from './notices.ts';
import { calls as orders } from './orders.ts';
import { calls as ownEssays } from './own-essays.ts';
import { calls as previews } from './previews.ts';
import { calls as prices } from './prices.ts';
import { calls as readerHome } from './reader-home.ts';
import { calls as readingHistory } from './reading-history.ts';
import { calls as reauth } from './reauth.ts';
import { calls as redirects } from './redirects.ts';
import { calls as reports } from './reports.ts';
import { calls as revisions } from './revisions.ts';
import { calls as rewards } from './rewards.ts';
import { calls as searchEngines } from './search-engines.ts';
import { calls as searchIndex } from './search-index.ts';
import { calls as searchSuggestions } from './search-suggestions.ts';
import { calls as words } from './sensitive-words.ts';
import { calls as sessions } from './sessions.ts';
import { calls as shares } from './shares.ts';
import { calls as signIns } from './sign-ins.ts';
import { calls as site } from './site.ts';
import { calls as staffEssays } from './staff-essays.ts';
import { calls as stats } from './stats.ts';
import { calls as switches } from './switches.ts';
import { calls as system } from './system.ts';
import { calls as tagFollows } from './tag-follows.ts';
import { calls as tags } from './tags.ts';
import { calls as tokens } from './tokens.ts';
import { calls as traffic } from './traffic.ts';
import { calls as transfer } from './transfer.ts';
import { calls as uploads } from './uploads.ts';
import { calls as users } from './users.ts';
import { calls as wallet } from './wallet.ts';
import { calls as webhooks } from './webhooks.ts';

/** Every API call, in the order of the documentation. */
const exactCalls = [
  ...site,
  ...switches,
  ...navigation,
  ...friendLinks,
  ...searchEngines,
  ...users,
  ...reauth,
  ...accountChanges,
  ...closing,
  ...tokens,
  ...activity,
  ...notices,
  ...uploads,
  ...media,
  ...transfer,
  ...importChecks,
  ...blocks,
  ...invitees,
  ...reports,
  ...experts,
  ...stats,
  ...traffic,
  ...farmers,
  ...stars,
  ...essays,
  ...searchSuggestions,
  ...readingHistory,
  ...revisions,
  ...downloads,
  ...follows,
  ...likes,
  ...linkChecks,
  ...previews,
  ...collections,
  ...comments,
  ...highlights,
  ...shares,
  ...columns,
  ...ownEssays,
  ...prices,
  ...members,
  ...orders,
  ...chats,
  ...letters,
  ...rewards,
  ...wallet,
  ...ledger,
  ...finance,
  ...staffEssays,
  ...audit,
  ...tagFollows,
  ...tags,
  ...system,
  ...backups,
  ...sessions,
  ...signIns,
  ...bans,
  ...jobs,
  ...health,
  ...mail,
  ...checklist,
  ...demo,
  ...access,
  ...categories,
  ...dicts,
  ...covers,
  ...announcements,
  ...readerHome,
  ...redirects,
  ...searchIndex,
  ...words,
  ...webhooks,
] as const;

/** Every call with its own types, for the types of clients. */
export type ExactCalls = typeof exactCalls;

/** Less exact, because comparing hundreds of exact types would cost the type checker seconds in every file. */
export const calls: readonly Call[] = exactCalls;
