import { type FormEvent, useState } from "react";
import { MAPS } from "~/game/maps";
import { isMapScore, type MapResult, type MatchLength } from "~/game/scores";
import { describe, FieldError } from "~/ui/forms/field";
import { CheckIcon } from "~/ui/icons";
import { mapFields, mapNumbers, type ScoreFields } from "../play/schema";

/** The properties that `useServerForm` returns for a field. */
interface FieldProps {
  id: string;
  name: string;
  label: string;
  errors: readonly string[];
  defaultValue: string;
  autoFocus: boolean;
}

type Props = (name: keyof ScoreFields) => FieldProps;

/** The words for a side: above its rounds, and beside a map that it won. */
interface SideWords {
  head: string;
  won: string;
  /** The words for starting one map up, as in "You start". */
  starts: string;
  /** Whether this side is the opponent of the form's author: the maps that it won get no tick. */
  isOpponent?: boolean;
}

/**
 * The initial values of a score form.
 * @param maps the maps entered so far; the rounds of the form's left side come first in each
 */
export function scoreDefaults(maps: readonly MapResult[], length: MatchLength, leftSide: 1 | 2): Partial<ScoreFields> {
  const { bestOf, advantage } = length;
  const values: Partial<ScoreFields> = {
    bestOf: String(bestOf),
    leftSide: String(leftSide),
    advantage: advantage === null ? "" : String(advantage),
  };
  for (const [index, number] of mapNumbers(length).entries()) {
    const played = maps[index];
    const { map, left, right } = mapFields(number);
    values[map] = played?.map ?? "";
    values[left] = played ? String(played.rounds[0]) : "";
    values[right] = played ? String(played.rounds[1]) : "";
  }
  return values;
}

/** Replaces the values of a score form's fields by other initial values. */
export const refill =
  (props: Props, values: Partial<ScoreFields>): Props =>
  (name) => ({ ...props(name), defaultValue: values[name] ?? "" });

/** The labels of a score form's fields, in their order on the page. */
export function scoreLabels(length: MatchLength, [one, two]: readonly [SideWords, SideWords]): Partial<ScoreFields> {
  return Object.assign(
    {},
    ...mapNumbers(length).map((number) => {
      const { map, left, right } = mapFields(number);
      return {
        [map]: `Map ${number}`,
        [left]: `${one.head}, map ${number}`,
        [right]: `${two.head}, map ${number}`,
      };
    }),
  );
}

/** The rows of a score form: for each map its name, and the rounds of both sides. */
export function ScoreRows({
  length,
  leftSide,
  sides: [one, two],
  props,
}: {
  length: MatchLength;
  leftSide: 1 | 2;
  sides: readonly [SideWords, SideWords];
  props: Props;
}) {
  const up = length.advantage && (length.advantage === leftSide ? one : two);
  return (
    <div className="score-rows">
      {up && <p className="mb-3 text-meta">{up.starts} one map up. Enter only the maps that are played.</p>}
      <div aria-hidden="true" className="score-row score-row-head">
        <span />
        <span>Map</span>
        <span title={one.head} className="truncate text-center">
          {one.head}
        </span>
        <span />
        <span title={two.head} className="truncate text-center">
          {two.head}
        </span>
      </div>
      {mapNumbers(length).map((number) => (
        <ScoreRow key={number} number={number} sides={[one, two]} props={props} />
      ))}
      <input type="hidden" name="bestOf" value={props("bestOf").defaultValue} />
      <input type="hidden" name="leftSide" value={props("leftSide").defaultValue} />
      {up && <input type="hidden" name="advantage" value={props("advantage").defaultValue} />}
    </div>
  );
}

function ScoreRow({
  number,
  sides: [one, two],
  props,
}: {
  number: 1 | 2 | 3 | 4 | 5;
  sides: readonly [SideWords, SideWords];
  props: Props;
}) {
  const names = mapFields(number);
  const [map, left, right] = [props(names.map), props(names.left), props(names.right)];
  const [rounds, setRounds] = useState([left.defaultValue, right.defaultValue] as const);

  function readRounds(event: FormEvent<HTMLFieldSetElement>) {
    const field = (name: string) => event.currentTarget.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? "";
    setRounds([field(names.left), field(names.right)]);
  }

  return (
    <fieldset className="score-row" onInput={readRounds}>
      <legend className="sr-only">Map {number}</legend>
      <span aria-hidden="true" className="text-meta text-muted">
        Map {number}
      </span>
      <span className="score-map select">
        <select
          {...describe(map)}
          id={map.id}
          name={map.name}
          defaultValue={map.defaultValue}
          autoFocus={map.autoFocus}
          aria-label={map.label}
          className="control"
        >
          <option value="">Not set</option>
          {MAPS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </span>
      <Rounds {...left} />
      <span aria-hidden="true" className="text-center text-muted">
        to
      </span>
      <Rounds {...right} />
      <span className="score-outcome text-meta text-muted">
        <Outcome rounds={rounds} sides={[one, two]} />
      </span>
      {[map, left, right].map(
        ({ id, errors }) =>
          errors.length > 0 && (
            <div key={id} className="score-error">
              <FieldError id={id} errors={errors} />
            </div>
          ),
      )}
    </fieldset>
  );
}

function Rounds({ id, name, label, errors, defaultValue, autoFocus }: FieldProps) {
  return (
    <input
      {...describe({ id, errors })}
      id={id}
      name={name}
      type="number"
      min={0}
      max={99}
      step={1}
      inputMode="numeric"
      autoComplete="off"
      defaultValue={defaultValue}
      autoFocus={autoFocus}
      aria-label={label}
      className="control score-rounds"
    />
  );
}

/** The outcome of a map, as far as its rounds show it. */
function Outcome({
  rounds: [left, right],
  sides,
}: {
  rounds: readonly [string, string];
  sides: readonly [SideWords, SideWords];
}) {
  if (!left && !right) return "Not played";
  const [one, two] = [Number(left), Number(right)];
  if (!left || !right || !isMapScore([one, two])) return null;
  const winner = sides[one > two ? 0 : 1];
  return (
    <>
      {!winner.isOpponent && <CheckIcon className="mr-2 inline size-3.5 text-good" />}
      <span className="text-text">{winner.won}</span>
    </>
  );
}
