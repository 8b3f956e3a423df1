import { useQuery } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { Choice } from '#web/ui/choice.tsx';
import { FieldError, FieldHead } from '#web/ui/field.tsx';
import { RemovableChip } from '#web/ui/removable-chip.tsx';
import { Input } from '#web/ui/text-box.tsx';
import { type Skill, skillsQuery, toSkills } from './farmer-query.ts';
import styles from './skills-field.module.css';

export const MAX_SKILLS = 10;

/** Skills that operators offer now; a card may contain a removed one, whose value is then used as its name. */
export function useSkills(): { skills: Skill[]; nameOf: (skill: string) => string } {
  const { data: skills = [] } = useQuery({ ...skillsQuery(useApi()), select: toSkills });
  return {
    skills,
    nameOf: (skill) => skills.find(({ value }) => value === skill)?.name ?? skill,
  };
}

interface SkillsFieldProps {
  chosen: readonly string[];
  error: string | undefined;
  onChange: (skills: string[]) => void;
}

/** Multi-select: selected skills first, a search filters the rest. */
export function SkillsField({ chosen, error, onChange }: SkillsFieldProps) {
  const id = useId();
  const search = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const { skills, nameOf } = useSkills();
  const keyword = typed.trim().toLowerCase();
  const found = skills.filter(({ name }) => name.toLowerCase().includes(keyword));
  const isFull = chosen.length >= MAX_SKILLS;

  const toggle = (skill: string) =>
    onChange(chosen.includes(skill) ? chosen.filter((each) => each !== skill) : [...chosen, skill]);

  return (
    <fieldset className="stack gap-2" aria-labelledby={`${id}-label`}>
      <FieldHead
        id={`${id}-label`}
        label="技能"
        aside={
          <small className="numbers">
            <span className="sr">已选</span>
            {chosen.length} / {MAX_SKILLS}
          </small>
        }
      />
      {chosen.length === 0 ? null : (
        <ul className={styles.chosen} aria-label="已选的技能">
          {chosen.map((skill) => (
            <li key={skill}>
              <RemovableChip
                name={nameOf(skill)}
                onRemove={() => {
                  toggle(skill);
                  search.current?.focus();
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <Input
        ref={search}
        type="search"
        aria-label="搜索技能"
        placeholder="搜索技能"
        value={typed}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          // Enter would submit the form.
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      <FieldError id={`${id}-error`} error={error} />
      <ul className={styles.skills} aria-label="可选的技能">
        {found.map(({ value, name }) => (
          <li key={value}>
            <Choice
              type="checkbox"
              variant="chip"
              name="skills"
              checked={chosen.includes(value)}
              disabled={isFull && !chosen.includes(value)}
              onChange={() => toggle(value)}
            >
              {name}
            </Choice>
          </li>
        ))}
      </ul>
      {found.length === 0 && skills.length > 0 ? (
        <p className="ink-3 text-s" role="status">
          没有这一项，换个说法试试。
        </p>
      ) : null}
      {isFull ? <p className="ink-3 text-s">已经选满，移除一项才能再选。</p> : null}
    </fieldset>
  );
}
