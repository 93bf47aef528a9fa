package files

import (
	"context"
	"errors"
	"io"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"sanad/internal/s3"
)

// bucket is a place in a bucket whose service itself refuses a write whose condition does not hold (S3: If-None-Match
// and If-Match).
type bucket struct{ b *blob.Bucket }

const mediaType = "application/octet-stream"

func (x *bucket) Create(ctx context.Context, key string, data []byte) error {
	err := x.b.WriteAll(ctx, key, data, &blob.WriterOptions{ContentType: mediaType, IfNotExist: true})
	if gcerrors.Code(err) == gcerrors.FailedPrecondition {
		return ErrExists
	}
	if err != nil && ctx.Err() == nil {
		// A service may refuse before it has read all of a large file, and cut the connection: then its answer is lost.
		if there, unknown := x.b.Exists(ctx, key); unknown == nil && there {
			return ErrExists
		}
	}
	return err
}

// errNoConditions means that a bucket is none of S3, so that a file in it cannot be replaced on a condition.
var errNoConditions = errors.New("this kind of bucket replaces no file on a condition")

func (x *bucket) Get(ctx context.Context, key string) (data []byte, version string, err error) {
	r, err := x.b.NewReader(ctx, key, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, "", ErrMissing
	}
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	var tag s3.ETag
	if r.As(&tag) {
		version = string(tag)
	}
	data, err = readAll(r)
	return data, version, err
}

func (x *bucket) Size(ctx context.Context, key string) (int64, error) {
	a, err := x.b.Attributes(ctx, key)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return 0, ErrMissing
	}
	if err != nil {
		return 0, err
	}
	return a.Size, nil
}

func (x *bucket) Replace(ctx context.Context, key string, data []byte, version string) error {
	if version == "" {
		return errNoConditions
	}
	o := &blob.WriterOptions{ContentType: mediaType, BeforeWrite: func(as func(any) bool) error {
		var w *s3.Write
		if !as(&w) {
			return errNoConditions
		}
		w.IfMatch(s3.ETag(version))
		return nil
	}}
	err := x.b.WriteAll(ctx, key, data, o)
	switch gcerrors.Code(err) {
	case gcerrors.FailedPrecondition, gcerrors.NotFound: // services differ in what they say of an object that is gone
		return ErrChanged
	}
	return err
}

func (x *bucket) Keys(ctx context.Context, prefix string) (keys []string, err error) {
	for list := x.b.List(&blob.ListOptions{Prefix: prefix}); ; {
		o, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			return keys, nil
		}
		if err != nil {
			return nil, err
		}
		keys = append(keys, o.Key)
	}
}

func (x *bucket) Ready(ctx context.Context) error {
	ok, err := x.b.IsAccessible(ctx)
	if err == nil && !ok {
		return errors.New("the bucket is not accessible")
	}
	return err
}

func (x *bucket) Remove(ctx context.Context, key string) error {
	err := x.b.Delete(ctx, key)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return ErrMissing
	}
	return err
}

func (x *bucket) Close() error { return x.b.Close() }
