package db

import "sanad/internal/db/notices"

// What callers know of package notices by the store's name.
type (
	DueChange    = notices.DueChange
	DueMail      = notices.DueMail
	DueNow       = notices.DueNow
	MailAttempt  = notices.MailAttempt
	MailSettings = notices.MailSettings
	MailTarget   = notices.MailTarget
	noticeStore  = notices.Store
)
