package db

import "sanad/internal/domain/notify"

// noticeStore stores what people are told, on pages and by mail.
type noticeStore struct {
	*auditLog
	mail *notify.Schedule // Options.Mail; may be nil
}
