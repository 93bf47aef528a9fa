// Package quantity reads what the figures of a text mean: amounts with their units, dates, times of day, ordinals and
// identifiers, in English and Arabic, in digits and in words. The judge, the checks, redaction and search compare
// figures by it and by nothing else. Pure; no state.
package quantity
