import { type ThemeConfig, theme } from 'antd';
import { backgrounds, tonesOf } from './colour.ts';
import type { Scheme } from './theme.ts';

const meanings = {
  light: { Success: '#2f7045', Warning: '#8a5a0b', Error: '#b0211f', Info: '#2f6296' },
  dark: { Success: '#84c396', Warning: '#e0b062', Error: '#ff9a90', Info: '#8fbce8' },
};

const neutrals = {
  light: {
    colorBgLayout: '#f5f3ef',
    colorBgContainer: '#ffffff',
    colorBgElevated: '#ffffff',
    colorBgSpotlight: '#35302b',
    colorBgMask: '#23201d73',
    colorText: '#23201d',
    colorTextSecondary: '#57514b',
    colorTextTertiary: '#6a635c',
    colorTextQuaternary: '#8c857e',
    colorBorder: '#d8d2cb',
    colorBorderSecondary: '#ebe7e2',
    colorFill: '#23201d24',
    colorFillSecondary: '#23201d14',
    colorFillTertiary: '#23201d0d',
    colorFillQuaternary: '#23201d08',
  },
  dark: {
    colorBgLayout: '#141210',
    colorBgContainer: '#1e1c19',
    colorBgElevated: '#262320',
    colorBgSpotlight: '#4a443e',
    colorBgMask: '#000000a6',
    colorText: '#ddd8d1',
    colorTextSecondary: '#b0a9a1',
    colorTextTertiary: '#9c958d',
    colorTextQuaternary: '#7d766f',
    colorBorder: '#433e39',
    colorBorderSecondary: '#2f2b27',
    colorFill: '#fff4e830',
    colorFillSecondary: '#fff4e81f',
    colorFillTertiary: '#fff4e814',
    colorFillQuaternary: '#fff4e80a',
  },
};

const FONT =
  '"PingFang SC", "Noto Sans SC", "Source Han Sans SC", "Noto Sans CJK SC", "Microsoft YaHei", system-ui, sans-serif';

/** The ten tokens that antd derives from each colour. */
function familyOf(name: string, colour: string, scheme: Scheme): Record<string, string> {
  const { base, hover, active, tint, tintHover, border, borderHover } = tonesOf(colour, scheme);
  return {
    [`color${name}`]: base,
    [`color${name}Hover`]: hover,
    [`color${name}Active`]: active,
    [`color${name}Text`]: base,
    [`color${name}TextHover`]: hover,
    [`color${name}TextActive`]: active,
    [`color${name}Bg`]: tint,
    [`color${name}BgHover`]: tintHover,
    [`color${name}Border`]: border,
    [`color${name}BorderHover`]: borderHover,
  };
}

export function themeOf(scheme: Scheme, colorPrimary: string): ThemeConfig {
  const { tint, base, hover, active } = tonesOf(colorPrimary, scheme);
  const colours = {
    ...neutrals[scheme],
    ...familyOf('Primary', colorPrimary, scheme),
    ...Object.assign(
      {},
      ...Object.entries(meanings[scheme]).map(([name, colour]) => familyOf(name, colour, scheme)),
    ),
    colorLink: base,
    colorLinkHover: hover,
    colorLinkActive: active,
  };
  const derive = scheme === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm;
  // In the dark scheme fills are light, so text on them is dark.
  const onFill = scheme === 'dark' ? '#1b1210' : '#ffffff';
  return {
    // The fills that antd derives have too little contrast with white text.
    algorithm: (seed) => ({ ...derive(seed), ...colours }),
    // Without a class of each version of antd in every selector, because a page has one version.
    hashed: false,
    cssVar: { key: 'admin' },
    token: {
      fontFamily: FONT,
      borderRadius: 8,
      borderRadiusSM: 4,
      motion: !matchMedia('(prefers-reduced-motion: reduce)').matches,
      colorTextPlaceholder: neutrals[scheme].colorTextTertiary,
      colorTextDescription: neutrals[scheme].colorTextTertiary,
      colorTextHeading: neutrals[scheme].colorText,
      colorTextLabel: neutrals[scheme].colorTextSecondary,
      colorIcon: neutrals[scheme].colorTextTertiary,
    },
    components: {
      Badge: { colorTextLightSolid: onFill },
      Button: { primaryColor: onFill, dangerColor: onFill, primaryShadow: 'none', defaultShadow: 'none' },
      Layout: {
        headerBg: neutrals[scheme].colorBgContainer,
        siderBg: neutrals[scheme].colorBgContainer,
        bodyBg: neutrals[scheme].colorBgLayout,
        headerHeight: 56,
        headerPadding: '0 16px',
      },
      // Transparent, because it is also used in drawers.
      Tree: { colorBgContainer: 'transparent' },
      Table: {
        headerBg: backgrounds[scheme].surfaces[1],
        headerColor: neutrals[scheme].colorTextSecondary,
        headerSplitColor: 'transparent',
        rowSelectedBg: tint,
        rowSelectedHoverBg: tint,
      },
    },
  };
}
