package s3

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/encrypt"
	"gocloud.dev/blob/driver"
	"gocloud.dev/gcerrors"
)

// bucket is the driver of one bucket. It does what this program asks of one; Copy and SignedURL it does not.
type bucket struct {
	client     *minio.Core
	name       string
	encryption encrypt.ServerSide
}

var errUnsupported = errors.New("s3: not supported")

// ErrorCode implements driver.Bucket.
func (b *bucket) ErrorCode(err error) gcerrors.ErrorCode {
	if errors.Is(err, errUnsupported) {
		return gcerrors.Unimplemented
	}
	var answer minio.ErrorResponse
	if !errors.As(err, &answer) {
		return gcerrors.Unknown
	}
	switch answer.Code {
	case minio.NoSuchKey, minio.NoSuchBucket, "NotFound":
		return gcerrors.NotFound
	case minio.PreconditionFailed, "ConditionalRequestConflict": // two conditional writes at once: the other is kept
		return gcerrors.FailedPrecondition
	case minio.AccessDenied, "Forbidden":
		return gcerrors.PermissionDenied
	}
	switch answer.StatusCode { // an answer to HEAD has no code
	case http.StatusNotFound:
		return gcerrors.NotFound
	case http.StatusPreconditionFailed:
		return gcerrors.FailedPrecondition
	case http.StatusUnauthorized, http.StatusForbidden:
		return gcerrors.PermissionDenied
	}
	return gcerrors.Unknown
}

// As implements driver.Bucket; there are no other types to be had.
func (b *bucket) As(any) bool { return false }

// ErrorAs implements driver.Bucket.
func (b *bucket) ErrorAs(error, any) bool { return false }

// Attributes implements driver.Bucket.
func (b *bucket) Attributes(ctx context.Context, key string) (*driver.Attributes, error) {
	o, err := b.client.StatObject(ctx, b.name, key, minio.StatObjectOptions{})
	if err != nil {
		return nil, err
	}
	return &driver.Attributes{ContentType: o.ContentType, ModTime: o.LastModified, Size: o.Size, ETag: o.ETag}, nil
}

// pageSize is how many objects a page of a list has if nothing is said.
const pageSize = 1000

// ListPaged implements driver.Bucket. The token of the next page is the last key of this one.
func (b *bucket) ListPaged(ctx context.Context, opts *driver.ListOptions) (*driver.ListPage, error) {
	if opts.Delimiter != "" && opts.Delimiter != "/" {
		return nil, errUnsupported
	}
	if opts.BeforeList != nil {
		if err := opts.BeforeList(func(any) bool { return false }); err != nil {
			return nil, err
		}
	}
	size := opts.PageSize
	if size <= 0 {
		size = pageSize
	}
	ctx, stop := context.WithCancel(ctx) // the client may be fetching the next page already
	defer stop()
	page := &driver.ListPage{}
	for o := range b.client.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{
		Prefix: opts.Prefix, Recursive: opts.Delimiter == "", MaxKeys: size, StartAfter: string(opts.PageToken),
	}) {
		if o.Err != nil {
			return nil, o.Err
		}
		if len(page.Objects) == size {
			page.NextPageToken = []byte(page.Objects[size-1].Key)
			break
		}
		page.Objects = append(page.Objects, &driver.ListObject{Key: o.Key, ModTime: o.LastModified, Size: o.Size,
			IsDir: opts.Delimiter != "" && strings.HasSuffix(o.Key, opts.Delimiter)})
	}
	return page, nil
}

// NewRangeReader implements driver.Bucket.
func (b *bucket) NewRangeReader(ctx context.Context, key string, offset, length int64,
	opts *driver.ReaderOptions) (driver.Reader, error) {
	var get minio.GetObjectOptions
	var err error
	switch {
	case length == 0: // a range of no byte cannot be asked for
		a, err := b.Attributes(ctx, key)
		if err != nil {
			return nil, err
		}
		return newReader(io.NopCloser(strings.NewReader("")), a.ContentType, a.ModTime, a.Size, a.ETag), nil
	case length > 0:
		err = get.SetRange(offset, offset+length-1)
	case offset > 0:
		err = get.SetRange(offset, 0)
	}
	if err != nil {
		return nil, err
	}
	if opts.BeforeRead != nil {
		if err := opts.BeforeRead(func(any) bool { return false }); err != nil {
			return nil, err
		}
	}
	body, o, header, err := b.client.GetObject(ctx, b.name, key, get)
	if err != nil {
		return nil, err
	}
	size := o.Size
	if _, all, ok := strings.Cut(header.Get("Content-Range"), "/"); ok {
		if _, err := fmt.Sscan(all, &size); err != nil {
			return nil, errors.Join(fmt.Errorf("s3: the answer's range %q", all), body.Close())
		}
	}
	return newReader(body, o.ContentType, o.LastModified, size, o.ETag), nil
}

// reader reads an object.
type reader struct {
	io.ReadCloser
	mediaType string
	modified  time.Time
	size      int64 // of the whole object
	tag       string
}

func newReader(body io.ReadCloser, mediaType string, modified time.Time, size int64, tag string) *reader {
	return &reader{ReadCloser: body, mediaType: mediaType, modified: modified, size: size, tag: tag}
}

// Attributes implements driver.Reader.
func (r *reader) Attributes() *driver.ReaderAttributes {
	return &driver.ReaderAttributes{ContentType: r.mediaType, ModTime: r.modified, Size: r.size}
}

// ETag is the version of an object, as the answer that holds the object's bytes says it. A blob.Reader gives it out as
// *ETag.
type ETag string

// As implements driver.Reader.
func (r *reader) As(i any) bool {
	tag, ok := i.(*ETag)
	if ok {
		*tag = ETag(r.tag)
	}
	return ok
}

// Write is an object that is about to be written; BeforeWrite of a blob.WriterOptions gets it as **Write.
type Write struct{ options *minio.PutObjectOptions }

// IfMatch has the service refuse the write unless the object has this version (RFC 9110, 13.1.1). The error is
// gcerrors.FailedPrecondition.
func (w *Write) IfMatch(tag ETag) { w.options.SetMatchETag(string(tag)) }

// NewTypedWriter implements driver.Bucket. An object is kept in memory and written by one request when it is complete:
// then a write on the condition that there is none is one question to the service, and a part of an object is never
// left over. Nothing here is larger than an upload may be.
func (b *bucket) NewTypedWriter(ctx context.Context, key, mediaType string,
	opts *driver.WriterOptions) (driver.Writer, error) {
	put := minio.PutObjectOptions{ContentType: mediaType, ServerSideEncryption: b.encryption, DisableMultipart: true}
	if opts.IfNotExist {
		put.SetMatchETagExcept("*")
	}
	if opts.BeforeWrite != nil {
		give := func(i any) bool {
			w, ok := i.(**Write)
			if ok {
				*w = &Write{&put}
			}
			return ok
		}
		if err := opts.BeforeWrite(give); err != nil {
			return nil, err
		}
	}
	return &writer{ctx: ctx, bucket: b, key: key, options: put}, nil
}

// writer collects an object.
type writer struct {
	ctx     context.Context //nolint:containedctx // driver.Writer is given it when it is made and has no other place
	bucket  *bucket
	key     string
	options minio.PutObjectOptions
	data    bytes.Buffer
}

// Write implements io.Writer.
func (w *writer) Write(p []byte) (int, error) { return w.data.Write(p) }

// Close writes the object, unless the context has ended: gocloud.dev cancels it to give up a write.
func (w *writer) Close() error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	return w.put(bytes.NewReader(w.data.Bytes()), int64(w.data.Len()))
}

func (w *writer) put(r io.Reader, size int64) error {
	_, err := w.bucket.client.Client.PutObject(w.ctx, w.bucket.name, w.key, r, size, w.options)
	return err
}

// Copy implements driver.Bucket.
func (b *bucket) Copy(context.Context, string, string, *driver.CopyOptions) error {
	return errUnsupported
}

// Delete implements driver.Bucket. The service does not say whether there was an object, so it is asked first.
func (b *bucket) Delete(ctx context.Context, key string, opts *driver.DeleteOptions) error {
	if _, err := b.Attributes(ctx, key); err != nil {
		return err
	}
	if opts.BeforeDelete != nil {
		if err := opts.BeforeDelete(func(any) bool { return false }); err != nil {
			return err
		}
	}
	return b.client.RemoveObject(ctx, b.name, key, minio.RemoveObjectOptions{})
}

// SignedURL implements driver.Bucket.
func (b *bucket) SignedURL(context.Context, string, *driver.SignedURLOptions) (string, error) {
	return "", errUnsupported
}

// Close implements driver.Bucket.
func (b *bucket) Close() error { return nil }
