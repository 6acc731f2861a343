delete from installation
where name = 'lasting_salt'
