// Package recode turns what other programs write into JSON in UTF-8, before anything in it is understood: UTF-16, event
// streams, CSV, the tables of a DataFrame, and literals of Python. An input that needs no turning is left as it is; one
// that does is held in memory, up to a bound. Errors are *domain.Error with the place.
package recode
