-- The link, made worthless.
delete from share_link
where uuid = @uuid
returning name
