import type { Page } from '@mozhan/contract/common.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, useState } from 'react';
import { Columns } from '#web/ui/columns.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import { FieldPair } from '#web/ui/field.tsx';
import { hydrateWhenNear } from '#web/ui/hydrate-when-near.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { LinkTabs } from '#web/ui/link-tabs.tsx';
import { ListRow, ListRowSkeletons } from '#web/ui/list-row.tsx';
import { Optional } from '#web/ui/optional.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tabs, tabPanel } from '#web/ui/tabs.tsx';
import { ComponentSection, Example, Group } from './example.tsx';
import { LONG_TEXT } from './samples.ts';

const blocks = ['一', '二', '三'].map((text) => (
  <span key={text} className="sunken centred text-center">
    {text}
  </span>
));

const utilities: { names: string; example: ReactNode }[] = [
  { names: 'stack gap-2', example: <div className="stack gap-2">{blocks}</div> },
  { names: 'row wraps gap-2', example: <div className="row wraps gap-2">{blocks}</div> },
  { names: 'row apart', example: <div className="row apart">{blocks}</div> },
  { names: 'flex end gap-2', example: <div className="flex end gap-2">{blocks}</div> },
  {
    names: 'ink-2 text-m · ink-3 text-s · bold · numbers',
    example: (
      <>
        <p className="ink-2 text-m">次要的文字</p>
        <p className="ink-3 text-s">顺带的文字</p>
        <p className="bold numbers">1234567890</p>
      </>
    ),
  },
  { names: 'ellipsis', example: <p className="ellipsis">{LONG_TEXT}</p> },
  { names: 'amount', example: <p className="amount">¥ 15</p> },
  { names: 'link · brand-hover', example: <LinkExamples /> },
  { names: 'card · sunken · popup', example: <Surfaces /> },
  { names: 'sr', example: <p className="sr">只有读屏软件会读到这一句</p> },
];

function LinkExamples() {
  return (
    <p>
      句子里的
      <a className="link" href="#layout">
        链接
      </a>
      ，和
      <a className="brand-hover bold" href="#layout">
        标题上的链接
      </a>
      。
    </p>
  );
}

function Surfaces() {
  return (
    <div className="stack gap-2 text-center">
      <p className="card">card</p>
      <p className="sunken">sunken</p>
      <p className="popup">popup</p>
    </div>
  );
}

const Utilities = () => (
  <section className="stack gap-3" aria-labelledby="utilities">
    <header>
      <h3 id="utilities">utilities.css</h3>
      <p className="ink-2 text-m">到处都要说的样式，各有一个类名；组件用它们，再添上自己的。</p>
    </header>
    <FieldPair>
      {utilities.map(({ names, example }) => (
        <Example key={names} state={names}>
          {example}
        </Example>
      ))}
    </FieldPair>
  </section>
);

const feeds = [
  { key: 'hot', label: '最热', href: '#layout' },
  { key: 'latest', label: '最新', href: '#layout', count: 12 },
] as const;

function TabsAndColumns() {
  const [tab, setTab] = useState<'text' | 'picture'>('text');
  return (
    <ComponentSection files="tabs link-tabs columns" text="一处的几面；有自己地址的几处；一页的两栏。">
      <Example state="标签页" focus>
        <Tabs
          id="gallery-tabs"
          label="样子"
          selected={tab}
          onSelect={setTab}
          tabs={[
            { key: 'text', label: '文字', icon: 'pen' },
            { key: 'picture', label: '图片', count: 3 },
          ]}
        />
        <div {...tabPanel('gallery-tabs', 'text')} hidden={tab !== 'text'}>
          文字
        </div>
        <div {...tabPanel('gallery-tabs', 'picture')} hidden={tab !== 'picture'}>
          图片
        </div>
      </Example>
      <Example state="链接">
        <LinkTabs label="文章排序" selected="hot" tabs={feeds} />
      </Example>
      <Example state="两栏" wide>
        <Columns side={<p className="sunken">旁边</p>}>
          <p className="sunken">主要的一栏：{LONG_TEXT}</p>
        </Columns>
      </Example>
    </ComponentSection>
  );
}

const rows = (list: string[]): Page<string> => ({
  list,
  total: list.length,
  page: 1,
  pageSize: 10,
  next: null,
});

interface ListProps {
  name: string;
  read: () => Promise<Page<string>>;
}

function List({ name, read }: ListProps) {
  const query = useInfiniteQuery({
    queryKey: [name],
    queryFn: read,
    initialPageParam: 1,
    getNextPageParam: () => undefined,
    retry: false,
  });
  return (
    <InfiniteList
      label={name}
      query={query}
      keyOf={(row) => row}
      renderItem={(row) => <p>{row}</p>}
      skeleton={<Skeleton height="m" />}
      empty={
        <Empty small level="h3" title="什么也没有">
          <p>请过些时候再来。</p>
        </Empty>
      }
    />
  );
}

const Rows = () => (
  <ComponentSection files="list-row disclosure" text="列表里的一行，数目在行尾；想看更多的人自己展开。">
    <Example state="平常">
      <ListRow>
        <h3>
          余额充值 <small>支付宝</small>
        </h3>
        <strong className="numbers">+¥ 100.00</strong>
      </ListRow>
      <ListRow roomy>
        <h3>{LONG_TEXT}</h3>
        <strong className="numbers">-¥ 6.00</strong>
      </ListRow>
    </Example>
    <Example state="忙">
      <div aria-hidden="true">
        <ListRowSkeletons />
        <ListRowSkeletons roomy widths={['70']} />
      </div>
    </Example>
    <Example state="展开" focus>
      <Disclosure summary="每天的数字">
        <p>11 月 1 日，3 次阅读。</p>
      </Disclosure>
    </Example>
  </ComponentSection>
);

const Lists = () => (
  <ComponentSection files="infinite-list" text="快到末尾时自己接着载入的列表。">
    <Example state="有几行">
      <List name="有几行" read={async () => rows(['第一行', LONG_TEXT])} />
    </Example>
    <Example state="空">
      <List name="空" read={async () => rows([])} />
    </Example>
    <Example state="忙">
      <List name="忙" read={() => new Promise(() => {})} />
    </Example>
    <Example state="有错">
      <List name="有错" read={() => Promise.reject(new Error())} />
    </Example>
  </ComponentSection>
);

function Broken(): ReactNode {
  throw new Error('intended example error');
}
const Missing = lazy(() => Promise.reject(new Error('intended example error')));
const NearExample = hydrateWhenNear(async () => () => <p>走近了才来的部分</p>, undefined);

const Fallbacks = () => (
  <ComponentSection
    files="error-boundary optional hydrate-when-near"
    text="一部分坏了或没有来，页面的其余部分照旧。"
  >
    <Example state="坏了的">
      <ErrorBoundary resetKey={null} fallback={<p>这一部分没能显示。</p>}>
        <Broken />
      </ErrorBoundary>
    </Example>
    <Example state="没有来的">
      <Optional fallback={<p>没有它也可以。</p>}>
        <Missing />
      </Optional>
    </Example>
    <Example state="走近了才来">
      <NearExample />
    </Example>
  </ComponentSection>
);

export const Layout = () => (
  <Group id="layout" title="布局">
    <Utilities />
    <TabsAndColumns />
    <Rows />
    <Lists />
    <Fallbacks />
  </Group>
);
