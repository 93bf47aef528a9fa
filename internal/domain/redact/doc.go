// Package redact finds what identifies a person in a text and puts [REDACTED:kind] in its place: e-mail addresses,
// phone numbers, IBANs, Saudi national ids and iqamas, payment cards, IP addresses, and a tenant's own patterns (rule
// B-14). It tells kinds and counts, never values.
//
// The detectors read a plain view of the text, in which Arabic and Persian digits are ASCII digits and invisible
// characters are gone; what they find is put back at its place in the original. Time is linear in the text.
package redact
