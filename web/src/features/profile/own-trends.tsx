import styles from '#web/features/people/own-list.module.css';
import { pathTo, useRouter } from '#web/router/router.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { NothingYet } from '#web/ui/nothing-yet.tsx';
import { TrendList } from './trend-list.tsx';
import { isPrivate, trendNames } from './trend-types.ts';

const options = [
  { value: '', label: '全部' },
  ...trendNames.map((name, type) => ({
    value: String(type),
    label: isPrivate(type) ? `${name}（仅自己可见）` : name,
  })),
];

function typeOf(text: string | null): number | undefined {
  const type = /^\d{1,2}$/.test(text ?? '') ? Number(text) : undefined;
  return type !== undefined && type < trendNames.length ? type : undefined;
}

/** Everything one has done here, or one kind of it. */
export function OwnTrends({ search }: { search: URLSearchParams }) {
  const { navigate } = useRouter();
  const type = typeOf(search.get('type'));
  const show = (type: string) =>
    navigate(
      pathTo({ to: '/account/center.html', search: { tab: 'trend', type: type === '' ? undefined : type } }),
      { replace: true, keep: true },
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
          onChange={(event) => void show(event.currentTarget.value)}
        />
      </header>
      <TrendList
        type={type}
        empty={
          <NothingYet
            level="h3"
            title={type === undefined ? '还没有动态' : `没有「${trendNames[type]}」动态`}
            text="点赞、评论、收藏、关注之后，会在这里留下一行。"
          />
        }
      />
    </section>
  );
}
