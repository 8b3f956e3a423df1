import { asCallError } from '@mozhan/client/errors.ts';
import { defaultSettings } from '@mozhan/contract/default-settings.ts';
import type { SiteSettings } from '@mozhan/contract/site.ts';
import { App, Button, Form } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { changesOf } from '#admin/lib/changes.ts';
import { useFailures } from '#admin/lib/failures.ts';
import { useRefresh } from '#admin/lib/queries.ts';
import { useUnsaved } from '#admin/lib/unsaved.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { DISCARD, useConfirm } from '#admin/ui/confirm.ts';
import { FormField } from '#admin/ui/fields.tsx';
import { groupsOf, type SettingField, wordOf } from './groups.tsx';
import { Preview } from './preview.tsx';
import styles from './setting-form.module.css';

type Name = keyof SiteSettings;

interface DefaultNoteProps {
  field: SettingField;
  value: SiteSettings[Name];
  onRestore: (() => void) | undefined;
}

/** Below a field: whether it is the default, and the way back to it. */
function DefaultNote({ field, value, onRestore }: DefaultNoteProps) {
  const standard = defaultSettings[field.name];
  if (value === standard)
    return <span className={styles.note}>{field.help ? `${field.help} · 默认值` : '默认值'}</span>;
  return (
    <span className={styles.note}>
      {field.help ? `${field.help} · ` : ''}默认是「{wordOf(field.name, standard)}」
      {onRestore === undefined ? null : (
        <>
          {' '}
          <Button
            type="link"
            size="small"
            className={styles.restore}
            onClick={onRestore}
            aria-label={`恢复默认：${field.label}`}
          >
            恢复默认
          </Button>
        </>
      )}
    </span>
  );
}

/** All settings of the site; only what was changed is sent. */
export function SettingForm({ stored }: { stored: SiteSettings }) {
  const { api, setLook } = useApp();
  const { message } = App.useApp();
  const fail = useFailures();
  const confirm = useConfirm();
  const refresh = useRefresh();
  const mayUpdate = useCan()('setting:update');
  const [form] = Form.useForm<SiteSettings>();
  const [busy, setBusy] = useState(false);
  const [previewed, setPreviewed] = useState<string>();

  // What is asked for anew while the form is filled in is somebody else's change, not a change made here.
  const [base, setBase] = useState(stored);

  const current: SiteSettings = { ...base, ...Form.useWatch([], form) };
  const changes = changesOf(base, current);
  const count = Object.keys(changes).length;
  useUnsaved(
    () => count > 0,
    () => confirm(DISCARD),
  );

  /** What the server refuses stands at its field. */
  async function send(work: (given: Partial<SiteSettings>) => Promise<void>): Promise<void> {
    setBusy(true);
    try {
      await work(changes);
    } catch (error) {
      const wrong = Object.entries(asCallError(error)?.fields ?? {});
      if (wrong.length === 0) fail(error);
      form.setFields(wrong.map(([name, text]) => ({ name: name as Name, errors: [text] })));
    } finally {
      setBusy(false);
    }
  }

  const save = () =>
    send(async (given) => {
      const saved = await api('PUT core/sys/setting/', given);
      form.setFieldsValue(saved);
      setBase(saved);
      setLook(saved);
      message.success('已保存');
      await refresh();
    });

  async function preview(): Promise<void> {
    const isRight = await form.validateFields().then(
      () => true,
      () => false,
    );
    if (!isRight) return;
    await send(async (given) => setPreviewed((await api('POST core/sys/setting/preview', given)).url));
  }

  return (
    <>
      <Form<SiteSettings>
        form={form}
        layout="vertical"
        className={styles.form}
        initialValues={base}
        disabled={busy || !mayUpdate}
        requiredMark={false}
        scrollToFirstError={{ focus: true }}
        onFinish={() => void save()}
      >
        {groupsOf(busy || !mayUpdate).map(({ title, fields }) => (
          <section key={title} className={styles.group} aria-label={title}>
            <h2>{title}</h2>
            <div className={styles.fields}>
              {fields.map((field) => (
                <FormField
                  key={field.name}
                  field={{
                    ...field,
                    help: (
                      <DefaultNote
                        field={field}
                        value={current[field.name]}
                        onRestore={
                          mayUpdate
                            ? () => form.setFieldValue(field.name, defaultSettings[field.name])
                            : undefined
                        }
                      />
                    ),
                  }}
                />
              ))}
            </div>
          </section>
        ))}
        {mayUpdate ? (
          <div className={styles.bar}>
            <span role="status">{count === 0 ? '没有改动' : `${count} 项改动没有保存`}</span>
            <Button disabled={count === 0 || busy} onClick={() => form.resetFields()}>
              撤销改动
            </Button>
            <Button onClick={() => void preview()}>预览</Button>
            <Button type="primary" htmlType="submit" disabled={count === 0} loading={busy}>
              保存
            </Button>
          </div>
        ) : null}
      </Form>
      <Preview url={previewed} onClose={() => setPreviewed(undefined)} />
    </>
  );
}
