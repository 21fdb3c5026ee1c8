// The page of a report: reads the data beside this script, and shows it.
import {Report} from "./data";
import {html} from "./dom";
import {attempts, background, heading, ledgers, verdicts} from "./facts";
import {Clock} from "./format";
import {Timeline} from "./timeline";
import {Tip} from "./tip";

const report: Report = JSON.parse(document.getElementById("data")!.textContent!);
const clock = new Clock(report.time.begin, report.time.seconds);
const tip = new Tip(report.lines);
const timeline = new Timeline(report, clock, tip);
document.title = `${report.result.scenario}: ${report.result.outcome} – spotsim`;
document.getElementById("report")!.append(
    heading(report), timeline.section, ledgers(report), attempts(report, clock),
    html("div", {class: "columns"}, ...verdicts(report, tip)),
    html("div", {class: "columns"}, ...background(report)));
timeline.start();
