import type { Module } from '../module.ts';
import { access } from './accounts/access/module.ts';
import { activity } from './accounts/activity/module.ts';
import { bans } from './accounts/bans/module.ts';
import { users } from './accounts/users/module.ts';
import { webhooks } from './accounts/webhooks/module.ts';
import { accountClosing } from './admin/account-closing/module.ts';
import { backups } from './admin/backups/module.ts';
import { checklist } from './admin/checklist/module.ts';
import { demo } from './admin/demo/module.ts';
import { media } from './admin/media/module.ts';
import { reports } from './admin/reports/module.ts';
import { stats } from './admin/stats/module.ts';
import { system } from './admin/system/module.ts';
import { traffic } from './admin/traffic/module.ts';
import { transfer } from './admin/transfer/module.ts';
import { categories } from './content/categories/module.ts';
import { comments } from './content/comments/module.ts';
import { covers } from './content/covers/module.ts';
import { directory } from './content/directory/module.ts';
import { downloads } from './content/downloads/module.ts';
import { essays } from './content/essays/module.ts';
import { feeds } from './content/feeds/module.ts';
import { redirects } from './content/redirects/module.ts';
import { shares } from './content/shares/module.ts';
import { site } from './content/site/module.ts';
import { trends } from './content/trends/module.ts';
import { chats } from './messaging/chats/module.ts';
import { inbox } from './messaging/inbox/module.ts';
import { members } from './payments/members/module.ts';
import { orders } from './payments/orders/module.ts';
import { wallet } from './payments/wallet/module.ts';
import { dicts } from './platform/dicts/module.ts';
import { mailSms } from './platform/mail-sms/module.ts';
import { search } from './platform/search/module.ts';
import { sensitiveWords } from './platform/sensitive-words/module.ts';
import { uploads } from './platform/uploads/module.ts';

/** Modules come after those that they depend on. */
export const modules: readonly Module[] = [
  sensitiveWords,
  search,
  mailSms,
  uploads,
  dicts,
  access,
  activity,
  users,
  bans,
  webhooks,
  categories,
  covers,
  essays,
  comments,
  shares,
  downloads,
  feeds,
  trends,
  directory,
  site,
  redirects,
  chats,
  inbox,
  members,
  orders,
  wallet,
  reports,
  stats,
  traffic,
  transfer,
  media,
  accountClosing,
  backups,
  system,
  checklist,
  demo,
];
