-- The platform of the removed pairing.
delete from pairing
where uuid = @uuid
returning platform
