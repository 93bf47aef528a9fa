// Package redact finds what identifies a person in a text and replaces it by [REDACTED:kind]: e-mail addresses, phone
// numbers, IBANs, Saudi national ids and iqamas, payment cards, IP addresses, and a tenant's own patterns (rule B-14).
// It reports kinds and counts, never values.
//
// The detectors read a simplified view of the text, in which Arabic and Persian digits are ASCII digits and invisible
// characters are removed; matches are mapped back to the original. Time is linear in the text.
package redact
