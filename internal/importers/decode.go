package importers

import (
	"errors"
	"io"

	"sanad/internal/domain"
	"sanad/internal/strictjson"
)

// MaxBytes is the maximum size of an input unless another limit is given (rule SEC-9).
const MaxBytes = strictjson.MaxBytes

// Decode is strictjson.Decode with faults of the domain: every error is a *domain.Error, Invalid or TooLarge, and its
// cause is strictjson.ErrMalformed if the JSON itself is wrong.
func Decode(data []byte, v any, opt strictjson.Options) error {
	if err := checkSize(len(data), opt.MaxBytes); err != nil {
		return err
	}
	return domainFault(strictjson.Decode(data, v, opt))
}

// DecodeStrict is Decode for bodies of API requests: unknown fields are refused, and MaxBytes is the only limit.
func DecodeStrict(data []byte, v any) error { return Decode(data, v, strictjson.Options{}) }

// decode is Decode for input that is known to be well-formed. Strings in v share memory with src.
func decode(src string, v any, opt strictjson.Options) error {
	return domainFault(strictjson.DecodeText(src, v, opt))
}

// checkSize refuses an input of more bytes than the limit; 0 means MaxBytes.
func checkSize(n, limit int) error {
	return withOp("", strictjson.CheckSize(n, limit))
}

// domainFault converts a fault of strictjson to one of the domain.
func domainFault(err error) error { return withOp("importers.Decode", err) }

// withOp is domainFault with the operation that the log names.
func withOp(op string, err error) error {
	var fault *strictjson.Error
	if !errors.As(err, &fault) {
		return err
	}
	kind := domain.Invalid
	if fault.Kind == strictjson.TooLarge {
		kind = domain.TooLarge
	}
	return &domain.Error{Kind: kind, Op: op, Path: fault.Path, Message: fault.Message, Err: fault.Err}
}

// Counted is a reader of JSON of at most maxBytes bytes, 0 for MaxBytes, that counts its values on the way.
type Counted struct{ *strictjson.Counter }

// Count returns a reader of from whose error is a *domain.Error at the value that is one too many: for whatever is read
// into memory before it is decoded.
func Count(from io.Reader, maxBytes int) Counted {
	return Counted{strictjson.NewCounter(from, strictjson.MaxValues(maxBytes))}
}

// Read reads on.
func (c Counted) Read(p []byte) (int, error) {
	n, err := c.Counter.Read(p)
	return n, domainFault(err)
}
