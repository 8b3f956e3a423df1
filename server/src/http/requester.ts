import { createRequire } from 'node:module';
import type { FastifyRequest } from 'fastify';
import type IP2Region from 'ip2region';
import { normalizeAddress } from '../address.ts';
import type { Requester } from '../ctx.ts';

export function requesterOf(request: FastifyRequest): Requester {
  const address = normalizeAddress(request.ip);
  return {
    requestId: request.id,
    address,
    get device() {
      return deviceOf(this.userAgent);
    },
    get userAgent() {
      return request.headers['user-agent'] ?? '';
    },
    get region() {
      return regionOf(address);
    },
  };
}

const browsers: [RegExp, string][] = [
  [/MicroMessenger/, '微信'],
  [/DingTalk/, '钉钉'],
  [/ Edg(A|iOS)?\//, 'Edge'],
  [/ OPR\//, 'Opera'],
  [/ (Firefox|FxiOS)\//, 'Firefox'],
  [/ HeadlessChrome\//, 'Chrome（无界面）'],
  [/ Chromium\//, 'Chromium'],
  [/ (Chrome|CriOS)\//, 'Chrome'],
  [/ Safari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/HarmonyOS/, 'HarmonyOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];
const firstMatch = (table: [RegExp, string][], text: string) =>
  table.find(([pattern]) => pattern.test(text))?.[1];

export const browserOf = (userAgent: string): string | undefined => firstMatch(browsers, userAgent);
export const systemOf = (userAgent: string): string | undefined => firstMatch(systems, userAgent);

export function deviceOf(userAgent: string): string {
  const parts = [browserOf(userAgent), systemOf(userAgent)].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(' · ') : '未知设备';
}

let regions: IP2Region.default | undefined;

/** The province in China or the country elsewhere, from an offline database; '' when unknown. */
export function regionOf(address: string): string {
  regions ??= loadRegions();
  const found = regions.search(address);
  if (found === null) return '';
  if (found.city === '内网IP') return '本地网络';
  if (found.country !== '中国') return found.country;
  return (
    found.province.replace(/(省|市|壮族自治区|回族自治区|维吾尔自治区|自治区|特别行政区)$/, '') || '中国'
  );
}

/** Loaded on first use, because it takes twelve megabytes. The CommonJS default export needs `require`. */
function loadRegions(): IP2Region.default {
  const { default: Regions } = createRequire(import.meta.url)('ip2region') as typeof IP2Region;
  return new Regions();
}
