import { isbot } from 'isbot';
import { browserOf, systemOf } from '../../../http/requester.ts';
import { UNKNOWN } from './rules.ts';

interface Agent {
  device: string;
  browser: string;
  system: string;
}

/** Null for robots. */
export function parseUserAgent(userAgent: string): Agent | null {
  if (userAgent === '' || isbot(userAgent)) return null;
  const isTablet =
    /iPad|Tablet/.test(userAgent) || (userAgent.includes('Android') && !userAgent.includes('Mobile'));
  const isPhone = /Mobi|iPhone/.test(userAgent);
  return {
    device: isTablet ? '平板' : isPhone ? '手机' : '电脑',
    browser: browserOf(userAgent) ?? UNKNOWN,
    system: systemOf(userAgent) ?? UNKNOWN,
  };
}
