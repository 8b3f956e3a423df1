import { FLAG, isOn, toFlag } from '@mozhan/contract/enums.ts';
import type { ImportCheck, ImportMapping, LockedAs } from '@mozhan/contract/import-checks.ts';
import { useQuery } from '@tanstack/react-query';
import { Select, Switch } from 'antd';
import { type ReactNode, useId } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { MoneyInput } from '#admin/ui/money-input.tsx';
import { Card } from '#admin/ui/screen.tsx';
import { UserFilter } from '#admin/ui/user-filter.tsx';
import styles from './import.module.css';
import { AuthorRows, CategoryRows, SectionRows } from './mapping-rows.tsx';

interface LineProps {
  label: string;
  help?: string;
  children: ReactNode;
}

const Line = ({ label, help, children }: LineProps) => (
  <div className={styles.line}>
    <div>
      <span>{label}</span>
      {help === undefined ? null : <small>{help}</small>}
    </div>
    <div>{children}</div>
  </div>
);

interface PartProps {
  title: string;
  help: string;
  children: ReactNode;
}

function Part({ title, help, children }: PartProps) {
  const id = useId();
  return (
    <Card>
      <section aria-labelledby={id} className={styles.part}>
        <h2 id={id}>{title}</h2>
        <p className={styles.hint}>{help}</p>
        {children}
      </section>
    </Card>
  );
}

const lockedOptions: { value: LockedAs; label: string }[] = [
  { value: 'draft', label: '作为草稿' },
  { value: 'member', label: '会员可读' },
  { value: 'buy', label: '付费可读' },
];

interface MappingFormProps {
  check: ImportCheck;
  mapping: ImportMapping;
  onChange: (change: Partial<ImportMapping>) => void;
}

function LockedPart({ check: { counts }, mapping, onChange }: MappingFormProps) {
  const { membersAs, paidAs, price } = mapping;
  const lines: [string, 'membersAs' | 'paidAs', number][] = [
    ['只给会员看的', 'membersAs', counts.members],
    ['只给付费会员看的', 'paidAs', counts.paid],
  ];
  return (
    <Part title="有限制的文章" help="会员可读与付费可读的文章没有试读，不会比原来更公开">
      {lines
        .filter(([, , count]) => count > 0)
        .map(([label, name, count]) => (
          <Line key={name} label={`${label} ${count.toLocaleString('zh-CN')} 篇`}>
            <Select
              aria-label={label}
              value={name === 'membersAs' ? membersAs : paidAs}
              options={lockedOptions}
              onChange={(as) => onChange({ [name]: as })}
            />
          </Line>
        ))}
      {membersAs === 'buy' || paidAs === 'buy' ? (
        <Line label="每篇的价格" help="从 1 元到 1000 元">
          <MoneyInput
            aria-label="每篇的价格"
            value={price === 0 ? Number.NaN : price}
            onChange={(fen) => onChange({ price: Number.isNaN(fen) ? 0 : fen })}
          />
        </Line>
      ) : null}
    </Part>
  );
}

/** What categories, authors and sections of the old site become here. */
export function MappingForm(props: MappingFormProps) {
  const { check, mapping, onChange } = props;
  const { api } = useApp();
  const { data } = useQuery(call(api, 'GET core/sys/category/'));
  const categories = Array.isArray(data) ? data : [];
  const { counts, siteTitle, siteOwner } = check;
  const isOwn = check.program === 'mozhan';
  const hasLocked = counts.members + counts.paid > 0;
  return (
    <>
      {check.categories.length === 0 ? null : (
        <Part
          title="分类"
          help="每篇文章的第一个有对应的分类成为它的分类，其余的成为标签；没有分类的放到下面选的分类里"
        >
          <CategoryRows check={check} mapping={mapping} categories={categories} onChange={onChange} />
        </Part>
      )}
      {check.authors.length === 0 ? null : (
        <Part title="作者" help="新建的账号在管理员重置密码后才能登录；一篇有几位作者时，名字写在正文的末尾">
          <AuthorRows check={check} mapping={mapping} onChange={onChange} />
        </Part>
      )}
      {check.sections.length === 0 ? null : (
        <Part title="栏目" help="文章有作者、分类和评论，页面没有">
          <SectionRows check={check} mapping={mapping} onChange={onChange} />
        </Part>
      )}
      {hasLocked ? <LockedPart {...props} /> : null}
      <Part title="其他" help="不改也可以开始">
        {counts.unsigned === 0 || mapping.allTo !== null ? null : (
          <Line
            label={`没有署名的 ${counts.unsigned.toLocaleString('zh-CN')} 篇归到`}
            help={`不选则新建账号「${siteOwner || siteTitle || '佚名'}」`}
          >
            <UserFilter
              label="没有署名的文章归到"
              block
              value={mapping.authorId ?? undefined}
              onChange={(authorId) => onChange({ authorId: authorId ?? null })}
            />
          </Line>
        )}
        {isOwn ? null : (
          <Line label="没有对应分类的放到" help="不选则放到第一个分类">
            <Select
              aria-label="没有对应分类的放到"
              allowClear
              placeholder="第一个分类"
              value={mapping.categoryId ?? undefined}
              options={categories.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(categoryId?: string) => onChange({ categoryId: categoryId ?? null })}
            />
          </Line>
        )}
        {counts.remotePictures === 0 ? null : (
          <Line
            label="取回别的网站上的图片与附件"
            help="导入完成后在后台取回，没有取到的在正文里成为链接，可以在报告里重试"
          >
            <Switch
              aria-label="取回别的网站上的图片与附件"
              checked={isOn(mapping.fetchPictures, true)}
              onChange={(checked) => onChange({ fetchPictures: toFlag(checked) })}
            />
          </Line>
        )}
        <Line label="全部作为草稿" help="否则已发布的直接上架，保留原来的发布时间">
          <Switch
            aria-label="全部作为草稿"
            checked={mapping.asDrafts === FLAG.on}
            onChange={(checked) => onChange({ asDrafts: toFlag(checked) })}
          />
        </Line>
      </Part>
    </>
  );
}
