export const jobNames: Record<string, string> = {
  'anchor-highlights': '定位划线',
  'close-account': '注销账号',
  'close-order': '关闭过期订单',
  'count-days': '统计每天的数字',
  'deliver-webhooks': '投递外部通知',
  'digest-notices': '发送通知摘要',
  'erase-essay': '清除删除的文章',
  'expire-mails': '清理发信记录',
  'expire-requests': '清理重复请求的记录',
  'expire-sign-ins': '清理过期的登录',
  'expire-uploads': '清理没传完的文件',
  'fetch-remote-pictures': '取回别的网站上的图片与附件',
  'forget-downloads': '清理下载链接',
  'forget-reads': '清理阅读记录',
  'forget-share-reads': '清理分享的阅读记录',
  'forget-transfer-files': '清理导入导出的文件',
  'forget-webhooks': '清理投递记录',
  'index-people': '更新用户名字的索引',
  'mail-code': '发送验证码',
  'make-backup': '备份',
  'mark-bounced-address': '标记被退回的邮箱',
  'rank-stars': '计算码星',
  'rank-tops': '计算排行',
  reconcile: '对账',
  'refresh-heat': '更新热度',
  'rank-essays': '更新热榜',
  'refund-order': '退款',
  'remove-demo': '移除示例内容',
  'resume-remote-pictures': '继续取回图片与附件',
  'resume-transfers': '继续导入导出',
  'retag-essays': '修改文章的标签',
  'count-words': '统计旧文章的字数',
  'run-transfer': '导入导出',
  'sandbox-callback': '模拟支付回调',
  'search-refresh': '整理搜索',
  'search-words': '更新搜索词',
  'send-mail': '发送邮件',
  'send-sms': '发送短信',
  'shelve-essay': '定时上架文章',
  'tell-orders': '通知订单结果',
  'tend-backups': '照看备份',
  'turn-announcements': '切换公告',
  'turn-banners': '切换横幅',
  'wake-webhooks': '唤醒外部通知',
  'watch-orders': '核对未付清的订单',
};

/** Chinese label, or the job name when there is none. */
export const nameOfJob = (name: string): string => jobNames[name] ?? name;

/** The site's time zone. */
const UTC_OFFSET_HOURS = 8;
const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `30 2 * * *` (UTC) → 每天 10:30; other expressions are returned unchanged. */
export function scheduleText(match: string): string {
  const [minute = '', hour = '', ...rest] = match.split(' ');
  if (rest.some((part) => part !== '*')) return match;
  if (hour === '*' && minute === '*') return '每分钟';
  const every = /^\*\/(\d+)$/.exec(minute)?.[1];
  if (hour === '*' && every !== undefined) return `每 ${every} 分钟`;
  if (!/^\d+$/.test(minute)) return match;
  if (hour === '*') return `每小时的第 ${minute} 分钟`;
  return /^\d+$/.test(hour)
    ? `每天 ${twoDigits((Number(hour) + UTC_OFFSET_HOURS) % 24)}:${twoDigits(Number(minute))}`
    : match;
}
