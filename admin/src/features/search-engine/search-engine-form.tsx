import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { asCallError } from '@mozhan/client/errors.ts';
import type { Output } from '@mozhan/contract/client.ts';
import type { SearchEngines } from '@mozhan/contract/search-engines.ts';
import { Alert, App, Button, Form, Input } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { changedFields } from '#admin/lib/changed-fields.ts';
import { useRefresh } from '#admin/lib/queries.ts';
import { useShowError } from '#admin/lib/show-error.ts';
import { useUnsavedGuard } from '#admin/lib/unsaved.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { DISCARD_CHANGES, useConfirm } from '#admin/ui/confirm.ts';
import { type Field, FormField, SCROLL_TO_ERROR } from '#admin/ui/fields.tsx';
import { IconButton } from '#admin/ui/icon-button.tsx';
import formStyles from '#admin/ui/settings-form.module.css';
import styles from './search-engine.module.css';

const MAX_FILES = 10;
const MAX_ROBOTS = 5000;

const engines: [name: keyof SearchEngines, label: string, tag: string][] = [
  ['baidu', '百度', 'baidu-site-verification'],
  ['google', 'Google', 'google-site-verification'],
  ['bing', '必应', 'msvalidate.01'],
  ['so360', '360 搜索', '360-site-verification'],
  ['sogou', '搜狗', 'sogou_site_verification'],
];

const codeFields: Field<SearchEngines>[] = engines.map(([name, label, tag]) => ({
  name,
  kind: 'text',
  label,
  maxLength: 300,
  placeholder: tag,
}));

type Stored = Output<'GET core/sys/search-engine/'>;

/** Sends only changed fields. */
export function SearchEngineForm({ stored: { robotsText, ...stored } }: { stored: Stored }) {
  const { api } = useApp();
  const { message } = App.useApp();
  const showError = useShowError();
  const confirm = useConfirm();
  const refresh = useRefresh();
  const mayUpdate = useCan()('search-engine:update');
  const [form] = Form.useForm<SearchEngines>();
  const [isBusy, setBusy] = useState(false);
  // A refetch during editing contains somebody else's changes, so changes are computed from the first value.
  const [base, setBase] = useState<SearchEngines>(stored);
  const [preview, setPreview] = useState(robotsText);
  const current: SearchEngines = { ...base, ...Form.useWatch([], form) };
  const changes = changedFields(base, current);
  const count = Object.keys(changes).length;
  useUnsavedGuard(
    () => count > 0,
    () => confirm(DISCARD_CHANGES),
  );

  /** Displays server errors at their fields. */
  async function send(work: () => Promise<void>): Promise<void> {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      const wrong = Object.entries(asCallError(error)?.fields ?? {});
      if (wrong.length === 0) showError(error);
      const fields = wrong.map(([name, text]) => ({
        // Fields of files are named `files.0.name`.
        name: name.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)) as never,
        errors: [text],
      }));
      form.setFields(fields);
      if (fields[0] !== undefined) form.scrollToField(fields[0].name, SCROLL_TO_ERROR);
    } finally {
      setBusy(false);
    }
  }

  const save = () =>
    send(async () => {
      const { robotsText: saved, ...settings } = await api('PUT core/sys/search-engine/', changes);
      form.setFieldsValue(settings);
      setBase(settings);
      setPreview(saved);
      message.success('已保存，立即生效');
      await refresh();
    });

  const showPreview = () =>
    send(async () => {
      const { closed, robots } = current;
      setPreview((await api('POST core/sys/search-engine/preview', { closed, robots })).robotsText);
    });

  const reset = () => {
    form.setFieldsValue(base);
    setPreview(robotsText);
  };

  return (
    <Form<SearchEngines>
      form={form}
      layout="vertical"
      className={formStyles.form}
      initialValues={base}
      disabled={isBusy || !mayUpdate}
      requiredMark={false}
      scrollToFirstError={SCROLL_TO_ERROR}
      onFinish={() => void save()}
    >
      {base.closed ? (
        <Alert type="warning" showIcon title="现在不让搜索引擎收录本站，开站时记得改过来" />
      ) : null}
      <section className={formStyles.group} aria-label="验证标签">
        <h2>验证标签</h2>
        <p className={styles.intro}>
          在搜索引擎的站长平台添加网站，选「HTML 标签」验证，把标签里 content
          的内容填在这里，也可以粘贴整个标签。标签会出现在首页。
        </p>
        <div className={formStyles.fields}>
          {codeFields.map((field) => (
            <FormField key={field.name} field={field} />
          ))}
        </div>
      </section>
      <section className={formStyles.group} aria-label="验证文件">
        <h2>验证文件</h2>
        <p className={styles.intro}>
          选「文件」验证的，把要放在网站根目录的文件填在这里，如 baidu_verify_….html、BingSiteAuth.xml。
        </p>
        <Form.List name="files">
          {(items, { add, remove }) => (
            <div className={styles.files}>
              {items.map(({ key, name }) => (
                <div key={key} className={styles.file}>
                  <Form.Item
                    name={[name, 'name']}
                    label="文件名"
                    rules={[{ required: true, whitespace: true, message: '请填写文件名' }]}
                    validateTrigger="onSubmit"
                  >
                    <Input maxLength={90} placeholder="baidu_verify_….html" autoComplete="off" />
                  </Form.Item>
                  <Form.Item
                    name={[name, 'content']}
                    label="内容"
                    rules={[{ required: true, whitespace: true, message: '请填写文件的内容' }]}
                    validateTrigger="onSubmit"
                  >
                    <Input.TextArea rows={2} maxLength={2000} />
                  </Form.Item>
                  {mayUpdate ? (
                    <IconButton label="移除这个文件" icon={<DeleteOutlined />} onClick={() => remove(name)} />
                  ) : null}
                </div>
              ))}
              {mayUpdate && items.length < MAX_FILES ? (
                <Button icon={<PlusOutlined aria-hidden />} onClick={() => add({ name: '', content: '' })}>
                  添加文件
                </Button>
              ) : null}
            </div>
          )}
        </Form.List>
      </section>
      <section className={formStyles.group} aria-label="抓取规则">
        <h2>抓取规则</h2>
        <FormField
          field={{
            name: 'closed',
            kind: 'switch',
            label: '不让搜索引擎收录本站',
            help: '网站还在筹备时可以打开，另加的规则这时不起作用。已经收录的页面会逐渐消失，想快些可到各站长平台申请删除',
          }}
        />
        <FormField
          field={{
            name: 'robots',
            kind: 'lines',
            label: '另加的规则',
            maxLength: MAX_ROBOTS,
            rows: 6,
            help: '接在默认规则之后，每行一条，如 Disallow: /tag/。为某个爬虫单列了 User-agent 时，默认规则对它不再有效',
          }}
        />
        <div className={styles.head}>
          <h3>robots.txt</h3>
          <Button size="small" disabled={isBusy} onClick={() => void showPreview()}>
            预览
          </Button>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <section className={styles.text} tabIndex={0} aria-label="robots.txt 的内容">
          <pre>{preview}</pre>
        </section>
      </section>
      {mayUpdate ? (
        <div className={formStyles.bar}>
          <span role="status">{count === 0 ? '没有改动' : `${count} 项改动没有保存`}</span>
          <Button disabled={count === 0 || isBusy} onClick={reset}>
            撤销改动
          </Button>
          <Button type="primary" htmlType="submit" disabled={count === 0} loading={isBusy}>
            保存
          </Button>
        </div>
      ) : null}
    </Form>
  );
}
