import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { type LoadContext, NotFoundError } from '#web/router/navigation.ts';
import { useRouter } from '#web/router/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { Field, SelectField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { type FarmerAddress, farmersPath, readFarmerAddress } from './address.ts';
import styles from './directory.module.css';
import { FarmerCard } from './farmer-card.tsx';
import { farmerPages, skillsQuery, toSkills } from './farmer-query.ts';

/** Throws NotFoundError for a page after the last one. */
export async function loadDirectory(
  { api, queryClient }: LoadContext,
  address: FarmerAddress,
): Promise<void> {
  const [{ pages }] = await Promise.all([
    queryClient.ensureInfiniteQueryData(farmerPages(api, address)),
    queryClient.ensureQueryData(skillsQuery(api)),
  ]);
  if (address.page > 1 && pages[0]?.list.length === 0) throw new NotFoundError();
}

/** A GET form, which also works without JavaScript. */
function Filter({ address }: { address: FarmerAddress }) {
  const router = useRouter();
  const { data: skills = [] } = useQuery({ ...skillsQuery(useApi()), select: toSkills });
  const { skill, city, keyword, isOpen } = address;
  const isKnown = skill === '' || skills.some(({ value }) => value === skill);

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]);
    const filter = readFarmerAddress(new URLSearchParams(entries));
    void router.navigate(farmersPath(filter), { keepScroll: true });
  }

  return (
    <search>
      <form
        // Remounts the form when the URL changes, so that the fields show the current filter.
        key={farmersPath({ ...address, page: 1 })}
        className={styles.filter}
        action={router.href('/home')}
        onSubmit={onSubmit}
      >
        <input type="hidden" name="view" value="farmers" />
        <SelectField
          name="skill"
          label="技能"
          defaultValue={skill}
          options={[
            { value: '', label: '全部技能' },
            ...(isKnown ? [] : [{ value: skill, label: skill }]),
            ...skills.map(({ value, name }) => ({ value, label: name })),
          ]}
        />
        <Field name="city" label="城市" maxLength={30} defaultValue={city} placeholder="如：杭州" />
        <Field
          name="q"
          type="search"
          label="关键词"
          maxLength={50}
          defaultValue={keyword}
          placeholder="昵称或介绍"
        />
        <div className={`row wraps apart ${styles.last}`}>
          <label className={`row gap-2 text-m ${styles.open}`}>
            <input type="checkbox" name="open" value="1" defaultChecked={isOpen} />
            只看在看机会的
          </label>
          <Button type="submit">
            <Icon name="search" small />
            查找
          </Button>
        </div>
      </form>
    </search>
  );
}

const skeleton = (['70', '50', '82'] as const).map((width) => (
  <div key={width} className={`flex gap-4 divided ${styles.blank}`}>
    <Skeleton round height="l" />
    <div>
      <Skeleton width="30" height="m" />
      <Skeleton width={width} />
      <Skeleton width="50" height="m" />
    </div>
  </div>
));

export function FarmerDirectory({ address }: { address: FarmerAddress }) {
  const { href } = useRouter();
  const query = useInfiniteQuery(farmerPages(useApi(), address));
  const { skill, city, keyword, isOpen } = address;
  const isFiltered = skill !== '' || city !== '' || keyword !== '' || isOpen;
  const total = query.data?.pages[0]?.total;
  const all = (
    <a className="link" href={href(farmersPath())}>
      看全部
    </a>
  );
  return (
    <div>
      <header className={styles.head}>
        <h1>码农</h1>
        <p>愿意被找到的程序员。点一项技能或一座城市，看同样的人。</p>
      </header>
      <Filter address={address} />
      <p className={`flex gap-3 ink-3 text-s divided ${styles.count}`} role="status">
        {total === undefined ? '' : `${isFiltered ? '找到' : '共'} ${total > 1000 ? '1000 多' : total} 人`}
        {isFiltered ? all : null}
      </p>
      <div className={styles.list}>
        <InfiniteList
          label="码农"
          query={query}
          keyOf={({ user }) => user.id}
          renderItem={(farmer) => <FarmerCard farmer={farmer} />}
          skeleton={skeleton}
          pageHref={(page) => href(farmersPath({ ...address, page }))}
          empty={
            <EmptyList
              title={isFiltered ? '没有找到这样的人' : '名录还是空的'}
              text={isFiltered ? '少选一项，或者换个说法再找。' : '填一张码农名片，你会是第一位。'}
            />
          }
        />
      </div>
    </div>
  );
}
