// The pictures of an advice: cost against interval, strategy and mean lifetime.
import {extent} from "d3-array";
import {axisBottom, axisLeft} from "d3-axis";
import {scaleLinear, scaleLog} from "d3-scale";
import {select} from "d3-selection";
import {line} from "d3-shape";

import {svg} from "../dom";
import {hoursText, percent, usd} from "../format";
import {axes, Axis, clipped, Drawing, frame, Item, padded, upright} from "../plot";
import {Note} from "../tip";

import {AdviceReport, isSame, placeOf, Way, WhatIf} from "./data";

const HEIGHT = 330, LEFT = 62, BOTTOM = HEIGHT - 40;
const BLUE = "#0072b2", ORANGE = "#e69f00", RED = "#d55e00";
const MOST_PLACES = 24;

function noteOf(title: string, way: Way): Note {
  const {mean, ci95, p5, p95} = way.cost_usd;
  return {
    title,
    text: [
      `cost ${usd(mean)}${ci95 === null ? "" : ` ± ${usd(ci95)}`}, 5 to 95 % of the runs ${
          usd(p5)} to ${usd(p95)}`,
      `done in ${hoursText(way.done_h.mean)}, late ${percent(way.late_share)}`,
      `saves by ${way.policy}, ${way.interruptions.toFixed(1)} interruptions a run`,
    ],
    lines: []
  };
}

// Draws a mean as a circle, and its interval as a line. The circle is hollow if runs are late.
function point(way: Way, x: number, y: (value: number) => number, colour: string, isBest: boolean):
    SVGElement {
  const {mean, ci95} = way.cost_usd, half = ci95 ?? 0;
  const isLate = way.late_share > 0;
  return svg(
      "g", {"data-way": way.policy},
      svg("line", {x1: x, x2: x, y1: y(mean - half), y2: y(mean + half), stroke: colour}),
      svg("circle", {
        cx: x,
        cy: y(mean),
        r: isBest ? 7 : 4.5,
        fill: isLate ? "var(--ground)" : colour,
        stroke: isLate ? colour : "var(--ground)",
        "stroke-width": isLate ? 2 : 1
      }));
}

function reach(ways: Way[]): [number, number] {
  return padded(
      ways.flatMap(({cost_usd: {mean, ci95}}) => [mean - (ci95 ?? 0), mean + (ci95 ?? 0)]));
}

// An axis of times from minutes to days, in steps that people use.
function timeTicks(low: number, high: number): number[] {
  const hours = [1 / 60, 2 / 60, 5 / 60, 0.25, 0.5, 1, 2, 4, 8, 16, 24, 48, 96, 192, 384];
  return hours.filter(one => one >= low && one <= high);
}

// Cost by checkpoint interval: one line with saving on notice, and one without.
export function byInterval(report: AdviceReport, width: number): Drawing {
  const shown = report.saves.filter(way => way.interval_h !== null)
                    .sort((a, b) => a.interval_h! - b.interval_h!);
  const {today, as_good_h: good, curve} = report;
  const isTodayShown = today !== null && today.interval_h !== null;
  const [low, high] = extent([
    ...shown.map(way => way.interval_h!), report.closed_form_h,
    ...(isTodayShown ? [today.interval_h!] : []), ...(good ? [good.from, good.to] : [])
  ]) as [number, number];
  const x = scaleLog().domain([low * 0.85, high * 1.15]).range([LEFT, width - 14]);
  const y = scaleLinear<number, number>()
                .domain(reach(isTodayShown ? [...shown, today] : shown))
                .range([BOTTOM, 20]);
  const element =
      frame(width, HEIGHT, `cost against the interval between checkpoints, ${shown.length} ways`);
  axes(
      element,
      axisBottom<number>(x).tickValues(timeTicks(low * 0.85, high * 1.15)).tickFormat(hoursText) as
          Axis,
      axisLeft<number>(y).ticks(6) as Axis, {left: LEFT, bottom: BOTTOM},
      ["interval between checkpoints", "cost, dollars"]);
  element.append(upright(
      x(report.closed_form_h), BOTTOM,
      `closed form ${hoursText(report.closed_form_h)} (M ${hoursText(report.mean_life_h)})`, 0,
      width));
  const path = line<Way>().x(way => x(way.interval_h!)).y(way => y(way.cost_usd.mean));
  const items: Item[] = [];
  if (good)
    element.append(
        svg("rect", {
          x: x(good.from),
          y: 20,
          width: x(good.to) - x(good.from),
          height: BOTTOM - 20,
          fill: BLUE,
          "fill-opacity": 0.1
        }),
        svg("text", {x: x(good.from) + 4, y: BOTTOM - 6, class: "tick"}, "within 1 %"));
  element.append(svg("path", {
    d: path(curve.filter(way => way.interval_h! >= low && way.interval_h! <= high)) ?? "",
    class: "line",
    stroke: BLUE,
    "stroke-opacity": 0.4
  }));
  if (isTodayShown) {
    const group = point(today, x(today.interval_h!), y, RED, false);
    group.append(svg(
        "text", {x: x(today.interval_h!) + 9, y: y(today.cost_usd.mean) + 4, class: "tick"},
        "today"));
    element.append(group);
    items.push({element: group, note: noteOf(`today: ${today.strategy}`, today)});
  }
  const onNotice = (way: Way) => way.policy.includes("on-notice");
  for (const [colour, dash, own] of [
           [BLUE, "", shown.filter(onNotice)],
           [ORANGE, "6 3", shown.filter(way => !onNotice(way))]] as [string, string, Way[]][]) {
    if (!own.length) continue;
    element.append(
        svg("path", {d: path(own) ?? "", class: "line", stroke: colour, "stroke-dasharray": dash}));
    const last = own[own.length - 1];
    element.append(
        svg("text", {x: x(last.interval_h!) - 4, y: y(last.cost_usd.mean) - 10, class: "tick end"},
            dash ? "at intervals only" : "at intervals and on notice"));
    for (const way of own) {
      const isBest = isSame(way, report.best);
      const group = point(way, x(way.interval_h!), y, colour, isBest);
      element.append(group);
      items.push({
        element: group,
        note: noteOf(`every ${hoursText(way.interval_h!)}${isBest ? ", advised" : ""}`, way)
      });
    }
  }
  return {element, items};
}

// A row for each strategy in its zones, the cheapest first, and the job on demand.
export function byStrategy(report: AdviceReport, width: number): Drawing {
  const sorted = [...report.places].sort(
      (a, b) => a.late_share - b.late_share || a.cost_usd.mean - b.cost_usd.mean);
  const isBest = (way: Way) => isSame(way, report.best);
  const shown = sorted.filter((way, i) => i < MOST_PLACES - 1 || isBest(way));
  shown.push(report.on_demand);
  const left = Math.min(300, width * 0.5), each = 20, bottom = 8 + each * shown.length;
  const x =
      scaleLinear<number, number>().domain(reach(shown.slice(0, -1))).range([left, width - 20]);
  const element = frame(
      width, bottom + 42, `cost of ${shown.length} of ${report.places.length + 1} strategies`);
  const across = svg("g", {transform: `translate(0,${bottom})`});
  select(across).call(axisBottom(x).ticks((width - left) / 70) as Axis);
  element.append(
      across,
      svg("text", {x: width - 4, y: bottom + 34, class: "tick end"},
          "cost, dollars; hollow: some runs are late"));
  const items = shown.map((way, i) => {
    const {mean, ci95} = way.cost_usd, half = ci95 ?? 0, top = 8 + i * each;
    const name = way === report.on_demand ? "on demand" : `${way.strategy}, ${placeOf(way)}`;
    const colour = isBest(way) ? BLUE : way === report.on_demand ? RED : ORANGE;
    const middle = top + each / 2, isLate = way.late_share > 0;
    const group =
        svg("g", {"data-way": way.strategy},
            svg("rect", {x: 0, y: top, width, height: each, fill: "transparent"}),
            svg("text", {x: left - 10, y: top + 14, class: isBest(way) ? "name chosen" : "name"},
                clipped(name, left / 7.3)),
            svg("line",
                {x1: x(mean - half), x2: x(mean + half), y1: middle, y2: middle, stroke: colour}),
            svg("circle", {
              cx: x(mean),
              cy: middle,
              r: isBest(way) ? 7 : 4.5,
              fill: isLate ? "var(--ground)" : colour,
              stroke: isLate ? colour : "var(--ground)"
            }));
    if (x(mean) > width - 16)
      group.replaceChildren(
          ...[...group.children].slice(0, 2),
          svg("text", {x: width - 20, y: top + 14, class: "tick end"},
              `${usd(mean)}, off the scale →`));
    element.append(group);
    const zones = way.zones.join(", ");
    return {
      element: group,
      note: noteOf(`${way.strategy} in ${zones}${isBest(way) ? ", advised" : ""}`, way)
    };
  });
  return {element, items};
}

// The advised way at other mean times between interruptions, and the best way to save at each.
export function byLife(report: AdviceReport, width: number): Drawing|undefined {
  const here: WhatIf =
      {what: "as advised", mean_life_h: report.mean_life_h, same: report.best, better: null};
  const worlds = [here, ...report.what_ifs.filter(one => one.what.includes("interruption"))].sort(
      (a, b) => a.mean_life_h - b.mean_life_h);
  if (worlds.length < 2) return undefined;
  const lives = worlds.map(one => one.mean_life_h), low = lives[0] * 0.8,
        high = lives[lives.length - 1] * 1.25;
  const ways = worlds.flatMap(one => one.better ? [one.same, one.better] : [one.same]);
  const x = scaleLog().domain([low, high]).range([LEFT, width - 14]);
  const y = scaleLinear<number, number>().domain(reach(ways)).range([BOTTOM, 20]);
  const element = frame(width, HEIGHT, "cost against the mean time between interruptions");
  axes(
      element, axisBottom<number>(x).tickValues(timeTicks(low, high)).tickFormat(hoursText) as Axis,
      axisLeft<number>(y).ticks(6) as Axis, {left: LEFT, bottom: BOTTOM},
      ["M, mean time between interruptions", "cost, dollars"]);
  const path = line<WhatIf>().x(one => x(one.mean_life_h)).y(one => y(one.same.cost_usd.mean));
  element.append(svg("path", {d: path(worlds) ?? "", class: "line", stroke: BLUE}));
  const items: Item[] = [];
  for (const {what, mean_life_h, same, better} of worlds)
    for (const way of better ? [same, better] : [same]) {
      const group = point(way, x(mean_life_h), y, way === same ? BLUE : ORANGE, what === here.what);
      if (way === same) {
        const isRight = x(mean_life_h) > width * 0.6;
        group.append(
            svg("text", {
              x: x(mean_life_h) + (isRight ? -9 : 9),
              y: y(way.cost_usd.mean) + (isRight ? 22 : -9),
              class: isRight ? "tick end" : "tick"
            },
                what));
      }
      element.append(group);
      const title = way === same ? what : `${what}, better to save by ${way.policy}`;
      items.push({element: group, note: noteOf(`${title}: M = ${hoursText(mean_life_h)}`, way)});
    }
  return {element, items};
}
