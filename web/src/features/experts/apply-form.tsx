import { asCallError } from '@mozhan/client/errors.ts';
import { isWebAddress } from '@mozhan/client/web-address.ts';
import type { Application } from '@mozhan/contract/experts.ts';
import { completeAddress, WEB_ADDRESS_NEEDED } from '@mozhan/contract/web-address.ts';
import { type FormEvent, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { missing, useForm } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FieldPair, TextArea } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import styles from './apply-panel.module.css';
import { blank, type Draft, keepDraft, readDraft } from './draft.ts';
import { WorksField } from './works-field.tsx';

const names = ['realName', 'field', 'intro', 'contact'] as const;
const LEAST = 20;

type WorkErrors = Record<number, string>;

const checkWorks = (works: readonly string[]): WorkErrors =>
  Object.fromEntries(
    works.flatMap((work, index) =>
      work.trim() === '' || isWebAddress(completeAddress(work)) ? [] : [[index, WEB_ADDRESS_NEEDED]],
    ),
  );

/** The server names a row by its place among those that were sent. */
function worksRefused(error: unknown, works: readonly string[]): WorkErrors {
  const sent = works.flatMap((work, index) => (work.trim() === '' ? [] : [index]));
  const fields = Object.entries(asCallError(error)?.fields ?? {});
  return Object.fromEntries(
    fields.flatMap(([name, message]) => {
      const place = sent[Number(/^works\.(\d+)$/.exec(name)?.[1] ?? Number.NaN)];
      return place === undefined ? [] : [[place, message]];
    }),
  );
}

interface ApplyFormProps {
  userId: string;
  /** One that was refused: nobody types it all again. */
  before: Application | null;
  onSent: (application: Application) => void;
  /** Something has changed meanwhile. */
  onRefused: () => void;
}

export function ApplyForm({ userId, before, onSent, onRefused }: ApplyFormProps) {
  const api = useApi();
  const [given] = useState<Draft>(() => readDraft(userId) ?? before ?? blank);
  const [works, setWorks] = useState<readonly string[]>(given.works.length === 0 ? [''] : given.works);
  const [workErrors, setWorkErrors] = useState<WorkErrors>({});

  const { busy, problem, field, props } = useForm({
    names,
    initial: given,
    check(values) {
      setWorkErrors(checkWorks(works));
      const length = values.intro.trim().length;
      return {
        ...(length < LEAST && { intro: `请至少写 ${LEAST} 个字，现在是 ${length} 个` }),
        ...missing(values, {
          realName: '请填写姓名',
          field: '请填写擅长的领域',
          intro: '请介绍一下自己',
          contact: '请留下联系方式',
        }),
      };
    },
    async submit(values) {
      if (Object.keys(checkWorks(works)).length > 0) return;
      const addresses = works.map(completeAddress).filter(Boolean);
      try {
        onSent(await api('POST core/user/apply', { ...values, works: addresses }));
        keepDraft(userId, null);
      } catch (error) {
        setWorkErrors(worksRefused(error, works));
        const code = asCallError(error)?.code;
        if (code === 'APPLICATION_WAITING' || code === 'ALREADY_WRITER') onRefused();
        throw error;
      }
    },
  });

  function keep(works: readonly string[]): void {
    const data = new FormData(props.ref.current ?? undefined);
    const typed = Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')]));
    keepDraft(userId, { ...blank, ...typed, works: [...works] });
  }

  function onInput(event: FormEvent): void {
    props.onInput(event);
    // A row of the list tells by itself, once it has changed.
    if ((event.target as HTMLInputElement).name !== '') keep(works);
  }

  function changeWorks(works: readonly string[]): void {
    setWorks(works);
    setWorkErrors({});
    keep(works);
  }

  return (
    <form className={styles.form} {...props} onInput={onInput}>
      <FieldPair>
        <Field {...field('realName')} label="姓名" autoComplete="name" maxLength={30} hint="只给工作人员看" />
        <Field
          {...field('contact')}
          label="联系方式"
          maxLength={100}
          placeholder="手机、邮箱或微信"
          hint="只给工作人员看"
        />
      </FieldPair>
      <Field {...field('field')} label="擅长领域" maxLength={50} placeholder="如：数据库内核、前端工程" />
      <TextArea
        {...field('intro')}
        label="自我介绍"
        placeholder="做过什么，想写什么"
        maxLength={1000}
        rows={5}
      />
      <WorksField works={works} errors={workErrors} onChange={changeWorks} />
      {problem ? <Notice tone="bad">{problem}</Notice> : null}
      <div>
        <Button type="submit" look="primary" busy={busy}>
          {busy ? '正在提交…' : '提交申请'}
        </Button>
      </div>
    </form>
  );
}
