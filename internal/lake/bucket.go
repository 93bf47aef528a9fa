package lake

import (
	"context"
	"errors"
	"io"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

// bucket is a lake in a bucket whose service itself refuses to overwrite (S3: If-None-Match).
type bucket struct{ b *blob.Bucket }

func (x *bucket) put(ctx context.Context, key string, data []byte) error {
	err := x.b.WriteAll(ctx, key, data, &blob.WriterOptions{ContentType: "application/octet-stream", IfNotExist: true})
	if gcerrors.Code(err) == gcerrors.FailedPrecondition {
		return errExists
	}
	return err
}

func (x *bucket) get(ctx context.Context, key string) (data []byte, err error) {
	r, err := x.b.NewReader(ctx, key, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, errMissing
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return readAll(r)
}

func (x *bucket) ready(ctx context.Context) error {
	ok, err := x.b.IsAccessible(ctx)
	if err == nil && !ok {
		return errors.New("the lake's bucket is not accessible")
	}
	return err
}

func (x *bucket) close() error { return x.b.Close() }

// readAll reads to the end; more than MaxBytes is an error.
func readAll(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err == nil && len(data) > MaxBytes {
		return nil, errBig
	}
	return data, err
}

func (x *bucket) remove(ctx context.Context, key string) error {
	err := x.b.Delete(ctx, key)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return errMissing
	}
	return err
}
