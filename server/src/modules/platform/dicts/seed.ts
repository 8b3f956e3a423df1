interface SeedDict {
  code: string;
  name: string;
  items: readonly (readonly [value: string, item: string])[];
}

const sameText = (...names: string[]) => names.map((name) => [name, name] as const);

/** The program reads these dictionaries by code; operators may change their items. */
export const initialDicts: readonly SeedDict[] = [
  {
    code: 'audit-reason',
    name: '驳回理由',
    items: [
      ['off-topic', '与技术无关'],
      ['advertising', '广告或引流'],
      ['plagiarism', '涉嫌抄袭或未注明出处'],
      ['too-short', '内容过于简短'],
      ['layout', '排版混乱，难以阅读'],
      ['unlawful', '含有违法或不当内容'],
      ['wrong', '代码或事实有明显错误'],
      ['title', '标题与内容不符'],
    ],
  },
  {
    code: 'audit-check',
    name: '审核要点',
    items: [
      ['lawful', '没有违法、侵权或不当的内容'],
      ['original', '是原创，或注明了出处与授权'],
      ['topic', '与技术有关，分类和标签合适'],
      ['substance', '内容完整，有自己的思考或实践'],
      ['correct', '代码、数据和引用没有明显错误'],
      ['readable', '标题与内容相符，排版清楚'],
    ],
  },
  {
    code: 'report-reason',
    name: '举报理由',
    items: [
      ['advertising', '广告或垃圾信息'],
      ['plagiarism', '抄袭或侵权'],
      ['unlawful', '违法违规'],
      ['vulgar', '色情或低俗'],
      ['abuse', '辱骂或人身攻击'],
      ['privacy', '泄露隐私'],
      ['misleading', '虚假或误导信息'],
      ['other', '其他'],
    ],
  },
  {
    code: 'off-shelf-reason',
    name: '下架理由',
    items: [
      ['complaint', '收到侵权投诉'],
      ['plagiarism', '核实为抄袭'],
      ['unlawful', '含有违法或不当内容'],
      ['advertising', '广告或引流'],
      ['outdated', '内容已过时，会误导读者'],
      ['wrong', '有严重错误，等待修正'],
    ],
  },
  {
    code: 'skill',
    name: '技能',
    items: sameText(
      ...['JavaScript', 'TypeScript', 'Java', 'Go', 'Rust', 'Python', 'C', 'C++', 'C#', 'Kotlin', 'Swift'],
      ...['PHP', 'Ruby', 'SQL', 'Shell', 'React', 'Vue', 'Node.js', 'Spring', 'Flutter', 'Android', 'iOS'],
      ...['PostgreSQL', 'MySQL', 'Redis', 'Kafka', 'Linux', 'Docker', 'Kubernetes', 'Git'],
      ...['机器学习', '大语言模型', '数据分析', '算法', '架构设计', '前端工程', '测试', '安全', '运维'],
    ),
  },
];
