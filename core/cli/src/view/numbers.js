"use strict";

// Numbers and texts as the command prints them, so that the page and the terminal say the same.

/** A point in time: whole numbers with a point, very small and very large ones with an exponent. */
function formatTime(time) {
  const size = Math.abs(time);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) return time.toExponential().replace("e+", "e");
  return Number.isInteger(time) ? `${Object.is(time, -0) ? "-0" : time}.0` : String(time);
}

/** A length of time: never with an exponent. */
function formatSpan(span) {
  const [digits, exponent] = span.toExponential().split("e");
  const sign = digits.startsWith("-") ? "-" : "";
  const [whole, rest = ""] = digits.replace("-", "").split(".");
  const point = 1 + Number(exponent);
  const all = whole + rest;
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${all}`;
  if (point >= all.length) return sign + all + "0".repeat(point - all.length);
  return `${sign}${all.slice(0, point)}.${all.slice(point)}`;
}

/** A text of the model in one line. */
function escapeText(text) {
  const names = { "\t": "\\t", "\r": "\\r", "\n": "\\n", "\0": "\\0" };
  return text
    .replace(/[\\'"]/g, "\\$&")
    .replace(/\p{C}/gu, (sign) => names[sign] ?? `\\u{${sign.codePointAt(0).toString(16)}}`);
}

/** A label in one line that is not too long. */
function shortText(text) {
  const signs = Array.from(text.slice(0, 200));
  return escapeText(signs.slice(0, 60).join("")) + (signs.length > 60 ? "..." : "");
}

/** A number of things, with thin gaps between thousands. */
function formatCount(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, "\u2009");
}
