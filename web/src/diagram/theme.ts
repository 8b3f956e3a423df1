import type { MermaidConfig } from 'mermaid';

export type Theme = 'light' | 'dark';

/** Values of styles/tokens.css, which the frame cannot load; a test compares them. */
export const TOKENS = {
  '--code-bg': { light: '#f7f5f2', dark: '#131210' },
  '--surface': { light: '#ffffff', dark: '#1e1c19' },
  '--fill': { light: '#f2efeb', dark: '#2b2724' },
  '--line-strong': { light: '#d8d2cb', dark: '#433e39' },
  '--line-control': { light: '#938c85', dark: '#77706a' },
  '--ink': { light: '#23201d', dark: '#ddd8d1' },
  '--ink-2': { light: '#57514b', dark: '#b0a9a1' },
  '--ink-3': { light: '#716a63', dark: '#958e86' },
  '--gold-tint': { light: '#fbf2df', dark: '#332a1a' },
  '--info-tint': { light: '#ecf2f8', dark: '#1c2630' },
  '--bad': { light: '#b0211f', dark: '#ff9a90' },
  '--bad-tint': { light: '#fdeceb', dark: '#3a2120' },
} as const;

/** Colours of pie slices, branches and other series: those of the generated pictures, readable under `--ink`. */
const SERIES: Record<Theme, readonly string[]> = {
  light: ['#adc8e0', '#e0bab4', '#b0cdb5', '#dabea7', '#bbc2e2', '#a3cdd0', '#d9b9cd', '#cdc4a4'],
  dark: ['#43586a', '#6a4d49', '#465c4a', '#66513e', '#4e546c', '#3a5c5e', '#654d5c', '#5c553c'],
};

export const tokenOf = (name: keyof typeof TOKENS, theme: Theme): string => TOKENS[name][theme];

export const FONT =
  '"PingFang SC","Noto Sans SC","Source Han Sans SC","Noto Sans CJK SC","Microsoft YaHei",system-ui,sans-serif';

const MAX_SERIES = 12;

function seriesVariables(theme: Theme, ink: string): Record<string, string> {
  const colours = SERIES[theme];
  return Object.fromEntries(
    [...Array(MAX_SERIES + 1).keys()].flatMap((index) => {
      const colour = colours[index % colours.length] ?? '';
      return [
        ...['cScale', 'pie', 'git', 'fillType', 'actor'].map((name) => [`${name}${index}`, colour] as const),
        ...['cScaleLabel', 'gitBranchLabel'].map((name) => [`${name}${index}`, ink] as const),
        [`cScaleInv${index}`, ink],
        [`cScalePeer${index}`, colour],
      ];
    }),
  );
}

function variablesOf(theme: Theme): Record<string, unknown> {
  const token = (name: keyof typeof TOKENS) => tokenOf(name, theme);
  const [background, surface, ink, border, edge] = [
    token('--code-bg'),
    token('--surface'),
    token('--ink'),
    token('--line-control'),
    token('--ink-3'),
  ];
  return {
    darkMode: theme === 'dark',
    fontFamily: FONT,
    fontSize: '15px',
    background,
    useGradient: false,
    dropShadow: 'none',
    radius: 6,
    strokeWidth: 1,
    primaryColor: surface,
    primaryTextColor: ink,
    primaryBorderColor: border,
    secondaryColor: token('--fill'),
    secondaryTextColor: ink,
    secondaryBorderColor: token('--line-strong'),
    tertiaryColor: token('--fill'),
    tertiaryTextColor: ink,
    tertiaryBorderColor: token('--line-strong'),
    mainBkg: surface,
    nodeBorder: border,
    clusterBkg: token('--fill'),
    clusterBorder: token('--line-strong'),
    lineColor: edge,
    arrowheadColor: edge,
    textColor: ink,
    titleColor: ink,
    edgeLabelBackground: background,
    noteBkgColor: token('--gold-tint'),
    noteBorderColor: token('--line-strong'),
    noteTextColor: ink,
    actorBkg: surface,
    actorBorder: border,
    actorTextColor: ink,
    actorLineColor: token('--line-strong'),
    signalColor: edge,
    signalTextColor: ink,
    labelBoxBkgColor: token('--fill'),
    labelBoxBorderColor: token('--line-strong'),
    labelTextColor: ink,
    loopTextColor: ink,
    activationBkgColor: token('--fill'),
    activationBorderColor: border,
    sequenceNumberColor: background,
    labelBackgroundColor: background,
    compositeBackground: background,
    altBackground: token('--fill'),
    rowOdd: surface,
    rowEven: token('--fill'),
    sectionBkgColor: token('--fill'),
    altSectionBkgColor: background,
    sectionBkgColor2: token('--fill'),
    gridColor: token('--line-strong'),
    taskBkgColor: token('--info-tint'),
    taskBorderColor: border,
    activeTaskBkgColor: token('--gold-tint'),
    activeTaskBorderColor: border,
    doneTaskBkgColor: token('--fill'),
    doneTaskBorderColor: token('--line-strong'),
    critBkgColor: token('--bad-tint'),
    critBorderColor: token('--bad'),
    todayLineColor: token('--bad'),
    taskTextColor: ink,
    taskTextOutsideColor: ink,
    taskTextLightColor: ink,
    taskTextDarkColor: ink,
    taskTextClickableColor: ink,
    pieTitleTextColor: ink,
    pieSectionTextColor: ink,
    pieLegendTextColor: ink,
    pieStrokeColor: background,
    pieOuterStrokeColor: background,
    pieOpacity: '1',
    archEdgeColor: edge,
    archEdgeArrowColor: edge,
    archGroupBorderColor: border,
    commitLabelColor: ink,
    commitLabelBackground: token('--fill'),
    tagLabelColor: ink,
    tagLabelBackground: token('--gold-tint'),
    tagLabelBorder: token('--line-strong'),
    ...seriesVariables(theme, ink),
  };
}

const cssOf = (theme: Theme): string => {
  const background = tokenOf('--code-bg', theme);
  return [
    // Labels of edges would otherwise have a translucent grey box.
    `.edgeLabel rect, .edgeLabel .label rect { opacity: 1; fill: ${background}; }`,
    '.node > rect.label-container, .node > .basic.label-container { rx: 6px; ry: 6px; }',
    `marker[id*="zeroOr"] circle { fill: ${background}; }`,
    `.grid .tick line, .grid path { stroke: ${tokenOf('--line-strong', theme)}; opacity: 1; }`,
  ].join('\n');
};

/** The writer's source cannot change the look, so that diagrams fit the site in both themes. */
const SECURE = [
  ...['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'suppressErrorRendering'],
  ...['theme', 'themeVariables', 'themeCSS', 'look', 'htmlLabels', 'fontFamily', 'darkMode'],
];

export const configOf = (theme: Theme): MermaidConfig => ({
  startOnLoad: false,
  securityLevel: 'strict',
  suppressErrorRendering: true,
  secure: SECURE,
  theme: 'base',
  look: 'classic',
  // Labels are SVG text, because a stored drawing contains no HTML.
  htmlLabels: false,
  fontFamily: FONT,
  // Ids of markers must not depend on the time.
  deterministicIds: true,
  themeVariables: variablesOf(theme),
  themeCSS: cssOf(theme),
});
