import { asCallError } from '@mozhan/client/errors.ts';
import { isWebAddress } from '@mozhan/client/web-address.ts';
import type { Application } from '@mozhan/contract/experts.ts';
import { addMissingScheme, WEB_ADDRESS_MESSAGE } from '@mozhan/contract/web-address.ts';
import { type FormEvent, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { requiredFieldErrors, useForm } from '#web/lib/form.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field, FieldPair, TextArea } from '#web/ui/field.tsx';
import {
  type ApplicationDraft,
  emptyApplicationDraft,
  readApplicationDraft,
  storeApplicationDraft,
} from './application-draft.ts';
import styles from './apply-panel.module.css';
import { WorksField } from './works-field.tsx';

const names = ['realName', 'field', 'intro', 'contact'] as const;
const MIN_INTRO_LENGTH = 20;

type WorkErrors = Record<number, string>;

const checkWorks = (works: readonly string[]): WorkErrors =>
  Object.fromEntries(
    works.flatMap((work, index) =>
      work.trim() === '' || isWebAddress(addMissingScheme(work)) ? [] : [[index, WEB_ADDRESS_MESSAGE]],
    ),
  );

/** The server numbers the works that were sent, so the number is mapped back to the row. */
function workErrorsOf(error: unknown, works: readonly string[]): WorkErrors {
  const sentRows = works.flatMap((work, index) => (work.trim() === '' ? [] : [index]));
  const fields = Object.entries(asCallError(error)?.fields ?? {});
  return Object.fromEntries(
    fields.flatMap(([name, message]) => {
      const row = sentRows[Number(/^works\.(\d+)$/.exec(name)?.[1] ?? Number.NaN)];
      return row === undefined ? [] : [[row, message]];
    }),
  );
}

interface ApplyFormProps {
  userId: string;
  /** A refused application, used to prefill the form. */
  previousApplication: Application | null;
  onSubmitted: (application: Application) => void;
  /** Called when the status has changed meanwhile. */
  onOutdated: () => void;
}

export function ApplyForm({ userId, previousApplication, onSubmitted, onOutdated }: ApplyFormProps) {
  const api = useApi();
  const [initialDraft] = useState<ApplicationDraft>(
    () => readApplicationDraft(userId) ?? previousApplication ?? emptyApplicationDraft,
  );
  const [works, setWorks] = useState<readonly string[]>(
    initialDraft.works.length === 0 ? [''] : initialDraft.works,
  );
  const [workErrors, setWorkErrors] = useState<WorkErrors>({});

  const { busy, formError, field, props } = useForm({
    names,
    initial: initialDraft,
    check(values) {
      setWorkErrors(checkWorks(works));
      const length = values.intro.trim().length;
      return {
        ...(length < MIN_INTRO_LENGTH && { intro: `请至少写 ${MIN_INTRO_LENGTH} 个字，现在是 ${length} 个` }),
        ...requiredFieldErrors(values, {
          realName: '请填写姓名',
          field: '请填写擅长的领域',
          intro: '请介绍一下自己',
          contact: '请留下联系方式',
        }),
      };
    },
    async submit(values) {
      if (Object.keys(checkWorks(works)).length > 0) return;
      const addresses = works.map(addMissingScheme).filter(Boolean);
      try {
        onSubmitted(await api('POST core/user/apply', { ...values, works: addresses }));
        storeApplicationDraft(userId, null);
      } catch (error) {
        setWorkErrors(workErrorsOf(error, works));
        const code = asCallError(error)?.code;
        if (code === 'APPLICATION_WAITING' || code === 'ALREADY_WRITER') onOutdated();
        throw error;
      }
    },
  });

  function storeForm(works: readonly string[]): void {
    const data = new FormData(props.ref.current ?? undefined);
    const typed = Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')]));
    storeApplicationDraft(userId, { ...emptyApplicationDraft, ...typed, works: [...works] });
  }

  function onInput(event: FormEvent): void {
    props.onInput(event);
    // The rows of the list have no name; they report their changes through `changeWorks`.
    if ((event.target as HTMLInputElement).name !== '') storeForm(works);
  }

  function changeWorks(works: readonly string[]): void {
    setWorks(works);
    setWorkErrors({});
    storeForm(works);
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
      {formError ? <Alert tone="bad">{formError}</Alert> : null}
      <div>
        <Button type="submit" variant="primary" busy={busy}>
          {busy ? '正在提交…' : '提交申请'}
        </Button>
      </div>
    </form>
  );
}
