import styles from '#web/features/people/own-list.module.css';
import { pathTo, useRouter } from '#web/router/router.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { TrendList } from './trend-list.tsx';
import { isPrivateTrend, trendTypeLabels } from './trend-types.ts';

const options = [
  { value: '', label: '全部' },
  ...trendTypeLabels.map((name, type) => ({
    value: String(type),
    label: isPrivateTrend(type) ? `${name}（仅自己可见）` : name,
  })),
];

function parseTrendType(text: string | null): number | undefined {
  const type = /^\d{1,2}$/.test(text ?? '') ? Number(text) : undefined;
  return type !== undefined && type < trendTypeLabels.length ? type : undefined;
}

export function OwnTrends({ search }: { search: URLSearchParams }) {
  const { navigate } = useRouter();
  const type = parseTrendType(search.get('type'));
  const selectType = (type: string) =>
    navigate(
      pathTo({ to: '/account/center.html', search: { tab: 'trend', type: type === '' ? undefined : type } }),
      { replace: true, keepScroll: true },
    );
  return (
    <section aria-labelledby="trends">
      <header className={`row apart gap-4 ${styles.head}`}>
        <h2 id="trends">动态</h2>
        <SelectField
          name="type"
          label="类型"
          options={options}
          value={type === undefined ? '' : String(type)}
          onChange={(event) => void selectType(event.currentTarget.value)}
        />
      </header>
      <TrendList
        type={type}
        empty={
          <EmptyList
            level="h3"
            title={type === undefined ? '还没有动态' : `没有「${trendTypeLabels[type]}」动态`}
            text="点赞、评论、收藏、关注之后，会在这里留下一行。"
          />
        }
      />
    </section>
  );
}
